// Stands in for ms-python.python, which is not on npm: the chosen interpreter is what the file $CHOSEN_PYTHON says.
const fs = require("node:fs");
const vscode = require("vscode");

exports.activate = () => {
  const changed = new vscode.EventEmitter();
  const file = process.env.CHOSEN_PYTHON;
  fs.watchFile(file, { interval: 100 }, () => changed.fire({ path: fs.readFileSync(file, "utf8") }));
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ path: fs.readFileSync(file, "utf8") }),
      resolveEnvironment: async ({ path }) => (path ? { executable: { uri: vscode.Uri.file(path) } } : undefined),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
