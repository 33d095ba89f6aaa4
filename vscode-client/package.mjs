// Makes dist/headwater-<target>.vsix, with the libraries of the server for that target:
//     npm run package [-- TARGET] [--no-libraries]
// Without libraries the extension offers to install them on the user's machine, and fits every platform.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** The wheels that pip may take for a target, the newest kind first. */
const TARGETS = {
  "linux-x64": ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux2014_x86_64"],
  "linux-arm64": ["manylinux_2_34_aarch64", "manylinux_2_28_aarch64", "manylinux2014_aarch64"],
  "darwin-x64": [
    "macosx_13_0_x86_64",
    "macosx_12_0_x86_64",
    "macosx_11_0_x86_64",
    "macosx_10_12_x86_64",
    "macosx_10_9_x86_64",
  ],
  "darwin-arm64": ["macosx_13_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64"],
  "win32-x64": ["win_amd64"],
};
const PYTHONS = ["3.10", "3.11", "3.12", "3.13"];
/** Of what one wheel per Python is needed: its native modules have the version in their names and fit in one directory. */
const PER_PYTHON = "libcst";
/** Copies of the library that z3 loads, programs, and what nobody imports. */
const NEEDLESS = [
  /^bin\//,
  /^z3\/(include\/|lib\/libz3\.(so|dylib)\.)/,
  /^yaml\/_yaml\./,
  /\/(tests|__pycache__)\//,
  /\.(pyi|pyx|pxd|c|h|rs|md)$/,
  /\.dist-info\/(?!METADATA$)/,
];

/** What is copied; .vscodeignore says which of it is packed. */
const PACKED = ["package.json", "LICENSE", "CHANGELOG.md", "server", "shared_ir", "vscode-client", "docs/extension.md"];
const BUILT = ["dist/extension.js", "dist/client.js"];

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({ options: { "no-libraries": { type: "boolean" } }, allowPositionals: true });
const target = positionals[0] ?? `${process.platform}-${process.arch}`;
const platforms = TARGETS[target];
if (!platforms || positionals.length > 1) {
  console.error(`usage: npm run package [-- ${Object.keys(TARGETS).join("|")}] [-- --no-libraries]`);
  process.exit(2);
}

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const server = /^version = "(.+)"$/m.exec(readFileSync(join(ROOT, "pyproject.toml"), "utf8"))?.[1];
if (server !== manifest.version) {
  console.error(`package.json is ${manifest.version}, pyproject.toml is ${server}`);
  process.exit(2);
}

run("npm", ["run", "--silent", "build"]);
// A copy, so that what is packed does not change meanwhile and the checkout has no libraries in it.
const copy = join(ROOT, "dist", "package");
rmSync(copy, { recursive: true, force: true });
for (const name of [".vscodeignore", ...PACKED, ...BUILT]) {
  cpSync(join(ROOT, name), join(copy, name), { recursive: true });
}
if (!values["no-libraries"]) {
  bundle();
}
const named = values["no-libraries"] ? [] : ["--target", target];
const file = join(ROOT, "dist", `headwater${values["no-libraries"] ? "" : `-${target}`}.vsix`);
run(
  "npx",
  ["vsce", "package", "--no-dependencies", "--readme-path", "docs/extension.md", ...named, "--out", file],
  copy,
);
console.log(`${basename(file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);

/** bundled/: the libraries, what they are for, and the version of the server. */
function bundle() {
  const libraries = join(copy, "bundled", "libs");
  const requirements = join(ROOT, "vscode-client", "requirements.txt");
  mkdirSync(libraries, { recursive: true });
  const temporary = mkdtempSync(join(tmpdir(), "headwater-"));
  try {
    pip(requirements, PYTHONS[0], libraries);
    const one = join(temporary, "one.txt");
    const entries = readFileSync(requirements, "utf8").split(/\n(?=\S)/);
    writeFileSync(one, `${entries.find((entry) => entry.startsWith(`${PER_PYTHON}==`))}\n`);
    for (const python of PYTHONS.slice(1)) {
      const directory = join(temporary, python);
      pip(one, python, directory);
      cpSync(join(directory, PER_PYTHON), join(libraries, PER_PYTHON), { recursive: true });
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  prune(libraries);
  const about = join(libraries, `headwater-${server}.dist-info`);
  mkdirSync(about);
  writeFileSync(join(about, "METADATA"), `Metadata-Version: 2.1\nName: headwater\nVersion: ${server}\n`);
  writeFileSync(join(copy, "bundled", "target"), `${target}\n`);
}

function pip(requirements, python, directory) {
  const fixed =
    "-m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes --only-binary=:all:";
  const wanted = ["--implementation", "cp", "--python-version", python, ...platforms.flatMap((p) => ["--platform", p])];
  run(process.env.PYTHON ?? "python3", [
    ...fixed.split(" "),
    ...wanted,
    "--target",
    directory,
    "--requirement",
    requirements,
  ]);
}

function prune(directory) {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(directory.length + 1).replaceAll("\\", "/");
    if (entry.isFile() && NEEDLESS.some((pattern) => pattern.test(name))) {
      rmSync(path);
    }
  }
}

function run(command, args, cwd = ROOT) {
  execFileSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
}
