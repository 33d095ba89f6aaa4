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
  /** What its libraries were built for, such as `linux-x64`; undefined where it came without them. */
  readonly target: string | undefined;
}

export interface Surroundings {
  /** `headwater.interpreter`. */
  readonly setting: string | undefined;
  readonly bundle: Bundle | undefined;
  /** What this machine is, such as `linux-x64`. */
  readonly target: string;
  /** The Python of the environment that the extension made for itself, if it did. */
  readonly own: string | undefined;
  /** The interpreters of the workspace; none if it is not trusted. */
  readonly workspace: readonly string[];
  readonly path: readonly string[];
}

export type Origin = "setting" | "bundled" | "own" | "workspace" | "path";

export interface Candidate {
  readonly origin: Origin;
  readonly python: string;
  /** The launcher of the server that came along; without it the interpreter has to have Headwater installed. */
  readonly launcher?: string;
  /** The modules that the launcher does not bring. */
  readonly needs: readonly string[];
}

/** A server that can be started. */
export interface Found extends Candidate {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: string;
}

export interface Choice {
  readonly found?: Found;
  readonly problems: readonly string[];
  /** A Python of the right version, on which something could be installed. */
  readonly python?: string;
}

const LIBRARIES = ["pygls", "lsprotocol", "z3", "libcst", "sqlglot", "pathspec", "platformdirs"];
/** What the server needs; the command line, by which an installed one is started, needs `typer` as well. */
export const MODULES = ["headwater", "headwater_ir", "typer", ...LIBRARIES];
export const OLDEST = [3, 10] as const;
export const NEWEST = [3, 13] as const;

/** All candidates in the order of preference. A setting stands alone: what it names is used, or is the error. */
export function candidates(s: Surroundings): Candidate[] {
  const installed = (origin: Origin) => (python: string) => ({ origin, python, needs: MODULES });
  const { launcher, target } = s.bundle ?? {};
  const bundled = (origin: Origin) => (python: string) =>
    launcher && target === s.target ? [{ origin, python, launcher, needs: [] }] : [];
  if (s.setting) {
    return [installed("setting")(s.setting), ...bundled("setting")(s.setting)];
  }
  const own: Candidate[] = s.own && launcher ? [{ origin: "own", python: s.own, launcher, needs: LIBRARIES }] : [];
  return [
    ...[...s.workspace, ...s.path].flatMap(bundled("bundled")),
    ...own,
    ...s.workspace.map(installed("workspace")),
    ...s.path.map(installed("path")),
  ];
}

/** Why a candidate cannot be used; undefined if it can. */
export function problem(candidate: Candidate, interpreter: Interpreter | undefined): string | undefined {
  if (!interpreter) {
    return `${candidate.python} does not run`;
  }
  const version = interpreter.version.join(".");
  if (!supported(interpreter)) {
    return `${candidate.python} is Python ${version}; Headwater needs ${OLDEST.join(".")} to ${NEWEST.join(".")}`;
  }
  const missing = interpreter.missing.filter((name) => candidate.needs.includes(name));
  if (missing.length === 0) {
    return undefined;
  }
  const named = missing.includes("headwater") ? "headwater[lsp]" : missing.join(", ");
  return `${candidate.python} (Python ${version}) lacks ${named}`;
}

export function supported({ version: [major, minor] }: Interpreter): boolean {
  return major === OLDEST[0] && minor >= OLDEST[1] && minor <= NEWEST[1];
}

/** How to start what was chosen. `-I`: nothing of the workspace is imported. */
export function started(candidate: Candidate, interpreter: Interpreter): Found {
  const program = candidate.launcher ? [candidate.launcher] : ["-m", "headwater", "lsp"];
  return {
    ...candidate,
    command: interpreter.executable,
    args: ["-I", ...program],
    version: interpreter.version.join("."),
  };
}

/** The first candidate that can be used, or why none can. Each interpreter is asked once, when its turn comes. */
export async function choose(
  all: readonly Candidate[],
  ask: (python: string) => Promise<Interpreter | undefined>,
): Promise<Choice> {
  const asked = new Map<string, Promise<Interpreter | undefined>>();
  const problems = new Set<string>();
  let python: string | undefined;
  for (const candidate of all) {
    const answer = asked.get(candidate.python) ?? ask(candidate.python);
    asked.set(candidate.python, answer);
    const interpreter = await answer;
    const wrong = problem(candidate, interpreter);
    if (interpreter && wrong === undefined) {
      return { found: started(candidate, interpreter), problems: [...problems] };
    }
    if (interpreter && supported(interpreter)) {
      python ??= interpreter.executable;
    }
    problems.add(wrong ?? "");
  }
  return { problems: [...problems], ...(python === undefined ? {} : { python }) };
}
