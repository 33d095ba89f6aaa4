import { test as base } from "@playwright/test";
import { EditorServer } from "./server";
import { Workbench } from "./workbench";
import { Workspace } from "./workspace";

interface PerTest {
  /** Opens a window on a copy of a folder of `workspaces/` or of the repository. */
  open: (workspace: string, file?: string, prepare?: (workspace: Workspace) => void) => Promise<Workbench>;
}

interface PerWorker {
  asksForTrust: boolean;
  vsix: string | null;
  settings: Record<string, unknown>;
  environment: Record<string, string>;
  server: EditorServer;
}

export const test = base.extend<PerTest, PerWorker>({
  asksForTrust: [false, { option: true, scope: "worker" }],
  vsix: [process.env.HEADWATER_VSIX ?? null, { option: true, scope: "worker" }],

  settings: [
    process.env.HEADWATER_INTERPRETER ? { "headwater.interpreter": process.env.HEADWATER_INTERPRETER } : {},
    { option: true, scope: "worker" },
  ],

  environment: [{}, { option: true, scope: "worker" }],

  server: [
    async ({ asksForTrust, vsix, settings, environment }, use) => {
      const server = await EditorServer.start({ asksForTrust, vsix, settings, environment });
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
