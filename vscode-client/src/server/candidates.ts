/** Where a server may come from, in which order, and which of these can be used. No VS Code in here. */

/** What a Python says of itself; `missing` are the modules of the server that it does not find. */
export interface Interpreter {
  readonly executable: string;
  readonly version: readonly [number, number, number];
  readonly missing: readonly string[];
}

/** The server that came with the extension. */
export interface Bundle {
  readonly launcher: string;
  /** What its native libraries were built for, such as `linux-x64`. */
  readonly target: string;
}

export interface Surroundings {
  /** `headwater.interpreter`. */
  readonly setting: string | undefined;
  readonly bundle: Bundle | undefined;
  /** What this machine is, such as `linux-x64`. */
  readonly target: string;
  /** The interpreters of the workspace; none if it is not trusted. */
  readonly workspace: readonly string[];
  readonly path: readonly string[];
}

export type Origin = "setting" | "bundled" | "workspace" | "path";

export interface Candidate {
  readonly origin: Origin;
  readonly python: string;
  /** The launcher of the bundled server; without it the interpreter has to have Headwater installed. */
  readonly launcher?: string;
}

/** A server that can be started. */
export interface Found extends Candidate {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: string;
}

export const OLDEST = [3, 10] as const;
export const NEWEST = [3, 13] as const;

/** All candidates in the order of preference. A setting stands alone: what it names is used, or is the error. */
export function candidates(s: Surroundings): Candidate[] {
  const launcher = s.bundle?.target === s.target ? s.bundle.launcher : undefined;
  const bundled = (python: string, origin: Origin): Candidate[] => (launcher ? [{ origin, python, launcher }] : []);
  if (s.setting) {
    return [{ origin: "setting", python: s.setting }, ...bundled(s.setting, "setting")];
  }
  const found = [...s.workspace, ...s.path].flatMap((python) => bundled(python, "bundled"));
  found.push(...s.workspace.map((python): Candidate => ({ origin: "workspace", python })));
  found.push(...s.path.map((python): Candidate => ({ origin: "path", python })));
  return found;
}

/** Why a candidate cannot be used; undefined if it can. */
export function problem(candidate: Candidate, interpreter: Interpreter | undefined): string | undefined {
  if (!interpreter) {
    return `${candidate.python} does not run`;
  }
  const version = interpreter.version.join(".");
  const [major, minor] = interpreter.version;
  if (major !== OLDEST[0] || minor < OLDEST[1] || minor > NEWEST[1]) {
    return `${candidate.python} is Python ${version}; Headwater needs ${OLDEST.join(".")} to ${NEWEST.join(".")}`;
  }
  if (!candidate.launcher && interpreter.missing.length > 0) {
    return `${candidate.python} (Python ${version}) lacks ${interpreter.missing.join(", ")}`;
  }
  return undefined;
}

/** How to start what was chosen. `-I`: nothing of the workspace is imported. */
export function started(candidate: Candidate, interpreter: Interpreter): Found {
  const program = candidate.launcher ? [candidate.launcher] : ["-m", "headwater"];
  return {
    ...candidate,
    command: interpreter.executable,
    args: ["-I", ...program, "lsp"],
    version: interpreter.version.join("."),
  };
}

/** The first candidate that can be used, or why none can. Each interpreter is asked once, and only when its turn comes. */
export async function choose(
  all: readonly Candidate[],
  ask: (python: string) => Promise<Interpreter | undefined>,
): Promise<{ found?: Found; problems: string[] }> {
  const asked = new Map<string, Promise<Interpreter | undefined>>();
  const problems: string[] = [];
  for (const candidate of all) {
    const answer = asked.get(candidate.python) ?? ask(candidate.python);
    asked.set(candidate.python, answer);
    const interpreter = await answer;
    const wrong = problem(candidate, interpreter);
    if (interpreter && wrong === undefined) {
      return { found: started(candidate, interpreter), problems };
    }
    if (wrong !== undefined && !problems.includes(wrong)) {
      problems.push(wrong);
    }
  }
  return { problems };
}
