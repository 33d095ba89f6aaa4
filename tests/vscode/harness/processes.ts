import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Every process that descends from `ancestor`, as /proc has it at this moment. */
export function descendants(ancestor: number): Process[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(read);
  const found: Process[] = [];
  const parents = [ancestor];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const child of all.filter((process) => process.parent === parent)) {
      found.push(child);
      parents.push(child.pid);
    }
  }
  return found;
}

/** Headwater's language servers below `ancestor`, without the workers that they start. */
export function languageServers(ancestor: number): Process[] {
  return descendants(ancestor).filter(({ command }) => /launcher\.py|headwater lsp/.test(command));
}

function read(name: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return [];
    const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return [{ pid: Number(name), parent: Number(parent), command }];
  } catch {
    return []; // It has ended meanwhile.
  }
}
