// In the place of VS Code's own writer of logs, a native module that would have to be compiled: without one nothing is logged, and
// a run that failed could not show what the extension said.
const fs = require('node:fs');
const path = require('node:path');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  raw = false;
  level = 0;

  constructor(file) {
    this.file = file;
    fs.mkdirSync(path.dirname(file), { recursive: true });
  }

  write(level, text) {
    if (levels.indexOf(level) >= this.level) {
      fs.appendFileSync(this.file, this.raw ? text : `${new Date().toISOString()} [${level}] ${text}\n`);
    }
  }

  clearFormatters() {
    this.raw = true;
  }

  setLevel(level) {
    this.level = level;
  }

  getLevel() {
    return this.level;
  }

  setPattern() {}

  flush() {}

  drop() {}
}

for (const level of levels) {
  Logger.prototype[level] = function (text) {
    this.write(level, text);
  };
}

exports.version = 0;
exports.setLevel = exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = exports.createAsyncRotatingLogger = async (_name, file) => new Logger(file);
