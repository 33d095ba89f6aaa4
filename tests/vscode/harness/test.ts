import { test as base } from "@playwright/test";
import { EditorServer } from "./server";
import { Workbench } from "./workbench";
import { Workspace } from "./workspace";

/** Opens a window on a copy of a folder of `workspaces/` or of the repository. */
export type Open = (workspace: string, file?: string, prepare?: (workspace: Workspace) => void) => Promise<Workbench>;

interface PerTest {
  open: Open;
}

interface PerWorker {
  asksForTrust: boolean;
  vsix: string | null;
  /** Folders of other extensions, which are packed and installed as well. */
  others: string[];
  settings: Record<string, unknown>;
  environment: Record<string, string>;
  server: EditorServer;
}

export const test = base.extend<PerTest, PerWorker>({
  asksForTrust: [false, { option: true, scope: "worker" }],
  vsix: [process.env.HEADWATER_VSIX ?? null, { option: true, scope: "worker" }],

  others: [[], { option: true, scope: "worker" }],

  settings: [
    process.env.HEADWATER_INTERPRETER ? { "headwater.interpreter": process.env.HEADWATER_INTERPRETER } : {},
    { option: true, scope: "worker" },
  ],

  environment: [{}, { option: true, scope: "worker" }],

  server: [
    async ({ asksForTrust, vsix, others, settings, environment }, use) => {
      const server = await EditorServer.start({ asksForTrust, vsix, others, settings, environment });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],

  open: async ({ page, server }, use) => {
    const workspaces: Workspace[] = [];
    await use(async (name, file, prepare) => {
      const workspace = new Workspace(name);
      workspaces.push(workspace);
      prepare?.(workspace);
      return await new Workbench(page, workspace, server.url).open(file);
    });
    await page.close();
    for (const workspace of workspaces) {
      workspace.remove();
    }
  },
});

export { expect } from "@playwright/test";
