// Where the tikc to run is.
const fs = require("fs");
const os = require("os");
const path = require("path");

/** A path as it is written in settings: `~` and `${workspaceFolder}` stand for folders. */
function expanded(text, folder) {
  let out = text.trim();
  if (out === "~" || out.startsWith("~/")) out = os.homedir() + out.slice(1);
  return folder ? out.replaceAll("${workspaceFolder}", folder) : out;
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The file that a setting names, by itself or on PATH; undefined where there is none. */
function findProgram(setting, folder, environment = process.env) {
  const name = expanded(setting, folder) || "tikc";
  if (name.includes("/")) {
    const file = path.resolve(folder ?? os.homedir(), name);
    return isProgram(file) ? file : undefined;
  }
  const folders = (environment.PATH ?? "").split(path.delimiter).filter((each) => path.isAbsolute(each));
  return folders.map((each) => path.join(each, name)).find(isProgram);
}

module.exports = { findProgram };
