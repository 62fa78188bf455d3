import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findServer, NotFound, Surroundings } from '../src/server';

const bundled = '/ext/server/pallas-lsp';

function machine(files: string[], env: NodeJS.ProcessEnv = {}, platform: NodeJS.Platform = 'linux'): Surroundings {
  return { platform, env, home: '/home/me', isFile: (file) => files.includes(file) };
}

test('the setting comes before PATH and the bundled program', () => {
  const at = machine(['/opt/pl', '/usr/bin/pallas-lsp', bundled], { PATH: '/usr/bin' });
  assert.deepEqual(findServer('/opt/pl', bundled, at), { command: '/opt/pl', from: 'setting' });
});

test('PATH comes before the bundled program, its folders in order', () => {
  const at = machine(['/a/pallas-lsp', '/b/pallas-lsp', bundled], { PATH: '/none:/b:/a' });
  assert.deepEqual(findServer('', bundled, at), { command: '/b/pallas-lsp', from: 'PATH' });
});

test('without both it is the bundled one', () => {
  assert.deepEqual(findServer('  ', bundled, machine([bundled], { PATH: '/usr/bin' })), { command: bundled, from: 'bundled' });
  assert.deepEqual(findServer('', bundled, machine([bundled])), { command: bundled, from: 'bundled' });
});

test('a setting that names nothing fails, though another program is there, and the message names the setting', () => {
  const at = machine([bundled], {});
  assert.throws(() => findServer('/gone', bundled, at), (error: Error) => error instanceof NotFound && /"pallas-lsp\.path".*\/gone/.test(error.message));
});

test('nothing anywhere fails with the setting that mends it', () => {
  assert.throws(() => findServer('', bundled, machine([])), (error: Error) => error instanceof NotFound && error.message.includes('"pallas-lsp.path"'));
});

test('a relative setting is refused: it would mean another program in each folder', () => {
  assert.throws(() => findServer('./pallas-lsp', bundled, machine(['./pallas-lsp'])), /absolute path/);
});

test('relative folders on PATH do not count', () => {
  assert.equal(findServer('', bundled, machine(['pallas-lsp', 'bin/pallas-lsp', bundled], { PATH: '.:bin:' })).from, 'bundled');
});

test('~ is the home folder', () => {
  assert.equal(findServer('~/bin/pl', bundled, machine(['/home/me/bin/pl'])).command, '/home/me/bin/pl');
});

test('Windows: .exe, semicolons, and Path in any case', () => {
  const at = machine(['C:\\tools\\pallas-lsp.exe'], { Path: 'D:\\x;C:\\tools' }, 'win32');
  assert.deepEqual(findServer('', 'C:\\ext\\server\\pallas-lsp.exe', at), { command: 'C:\\tools\\pallas-lsp.exe', from: 'PATH' });
});
