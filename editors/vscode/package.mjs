// Packs the extension as a VSIX.
//
//   node package.mjs --out FILE [--target linux-x64 --server PROGRAM]
//
// With a server it is for one platform. The version is the server's own; licence and changes are the project's.
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const here = import.meta.dirname;
const root = path.join(here, '..', '..');
const { values } = parseArgs({ options: { out: { type: 'string' }, target: { type: 'string' }, server: { type: 'string' } } });
if (values.out === undefined || (values.target === undefined) !== (values.server === undefined)) {
  console.error('usage: node package.mjs --out FILE [--target TARGET --server PROGRAM]');
  process.exit(2);
}
const out = path.resolve(values.out);

const stage = fs.mkdtempSync(path.join(os.tmpdir(), 'pallas-lsp-vsix-'));
try {
  execFileSync(process.execPath, ['build.mjs'], { cwd: here, stdio: 'inherit' });
  for (const name of ['README.md', 'icon.png', 'dist']) {
    fs.cpSync(path.join(here, name), path.join(stage, name), { recursive: true });
  }
  for (const name of ['LICENSE', 'CHANGELOG.md']) {
    fs.copyFileSync(path.join(root, name), path.join(stage, name));
  }
  fs.writeFileSync(path.join(stage, 'package.json'), JSON.stringify(manifest(), null, 2));
  if (values.server !== undefined) {
    fs.mkdirSync(path.join(stage, 'server'));
    const program = path.join(stage, 'server', values.target.startsWith('win32') ? 'pallas-lsp.exe' : 'pallas-lsp');
    fs.copyFileSync(values.server, program);
    fs.chmodSync(program, 0o755);
  }
  fs.mkdirSync(path.dirname(out), { recursive: true });
  const vsce = path.join(here, 'node_modules', '@vscode', 'vsce', 'vsce');
  const target = values.target === undefined ? [] : ['--target', values.target];
  const done = spawnSync(process.execPath, [vsce, 'package', '--no-dependencies', ...target, '--out', out], { cwd: stage, encoding: 'utf8' });
  console.log(`${done.stdout}${done.stderr}`.trim());
  if (done.status !== 0 || /WARNING/.test(done.stdout + done.stderr)) {
    console.error('vsce failed, or warns of something');
    process.exitCode = 1;
  }
} finally {
  fs.rmSync(stage, { recursive: true, force: true });
}

/** The manifest as it is published: with the version, without what only the build needs. */
function manifest() {
  const { scripts, devDependencies, ...kept } = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
  const files = ['dist/**', 'icon.png', 'README.md', 'CHANGELOG.md', 'LICENSE', ...(values.server === undefined ? [] : ['server/**'])];
  return { ...kept, files, version: fs.readFileSync(path.join(root, 'cmd/pallas-lsp/VERSION'), 'utf8').trim() };
}
