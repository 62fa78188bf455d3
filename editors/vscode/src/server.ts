// Which program is the server: the one that the setting names, else the one on PATH, else the one in the extension.
import * as os from 'node:os';
import * as path from 'node:path';

/** What the search looks at, so that a test can give another machine. */
export interface Surroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  isFile(file: string): boolean;
}

export interface Found {
  command: string;
  from: 'setting' | 'PATH' | 'bundled';
}

/** Says what is missing and which setting mends it. */
export class NotFound extends Error {}

export function surroundings(isFile: (file: string) => boolean): Surroundings {
  return { platform: process.platform, env: process.env, home: os.homedir(), isFile };
}

/** The program's name on a platform. */
export function programName(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'pallas-lsp.exe' : 'pallas-lsp';
}

export function findServer(setting: string, bundled: string, at: Surroundings): Found {
  if (setting.trim() !== '') {
    return { command: named(setting.trim(), at), from: 'setting' };
  }
  const onPath = searchPath(at);
  if (onPath !== undefined) {
    return { command: onPath, from: 'PATH' };
  }
  if (at.isFile(bundled)) {
    return { command: bundled, from: 'bundled' };
  }
  throw new NotFound(
    'There is no pallas-lsp on PATH, and this build of the extension has none for this machine. ' +
      'Install it (pip install pallas-lsp) or name one in the setting "pallas-lsp.path".',
  );
}

function named(setting: string, at: Surroundings): string {
  const paths = pathsOf(at);
  const file = /^~(?=$|[/\\])/.test(setting) ? paths.join(at.home, setting.slice(1)) : setting;
  if (!paths.isAbsolute(file)) {
    throw new NotFound(`The setting "pallas-lsp.path" must be an absolute path, not ${setting}.`);
  }
  if (!at.isFile(file)) {
    throw new NotFound(`The setting "pallas-lsp.path" names ${file}, which is no file.`);
  }
  return file;
}

/** A relative folder on PATH would mean something else in each workspace, so it does not count. */
function searchPath(at: Surroundings): string | undefined {
  const paths = pathsOf(at);
  const key = Object.keys(at.env).find((name) => (at.platform === 'win32' ? name.toUpperCase() : name) === 'PATH');
  const folders = (key === undefined ? '' : (at.env[key] ?? '')).split(paths.delimiter);
  return folders
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => paths.join(folder, programName(at.platform)))
    .find((file) => at.isFile(file));
}

function pathsOf(at: Surroundings): path.PlatformPath {
  return at.platform === 'win32' ? path.win32 : path.posix;
}
