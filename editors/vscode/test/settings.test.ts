import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { Choices, chosen, forServer } from '../src/settings';

const configuration = (values: { [key: string]: Choices }) => ({ inspect: (key: string) => values[key] });

test('what nobody chose is not sent, so that pyproject.toml decides', () => {
  assert.deepEqual(chosen(configuration({ chip: {}, 'hints.refs': {} })), {});
});

test('false is a choice, an empty name is none', () => {
  assert.deepEqual(chosen(configuration({ 'hints.refs': { globalValue: false }, chip: { globalValue: '' } })), { hints: { refs: false } });
});

test('keys with dots become a tree', () => {
  const both = { 'hints.refs': { globalValue: false }, 'hints.copies': { workspaceValue: true } };
  assert.deepEqual(chosen(configuration(both)), { hints: { refs: false, copies: true } });
});

test('the workspace stands above the user', () => {
  assert.deepEqual(chosen(configuration({ chip: { globalValue: 'v4', workspaceValue: 'v5e' } })), { chip: 'v5e' });
});

test('a workspace can go back to nothing', () => {
  assert.deepEqual(chosen(configuration({ chip: { globalValue: 'v4', workspaceValue: '' } })), {});
});

test('severities of several scopes are joined', () => {
  const values = { severity: { globalValue: { a: 'hint', b: 'off' }, workspaceValue: { a: 'error' } } };
  assert.deepEqual(chosen(configuration(values)), { severity: { a: 'error', b: 'off' } });
});

test('every setting is the client\'s or goes to the server', () => {
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  const declared = Object.keys(manifest.contributes.configuration.properties).map((key) => key.replace('pallas-lsp.', ''));
  assert.deepEqual(declared.sort(), [...forServer, 'path', 'trace.server'].sort());
});

test('only the user can name a program', () => {
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  assert.equal(manifest.contributes.configuration.properties['pallas-lsp.path'].scope, 'machine');
});

test('every command that is declared is registered', () => {
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  const source = fs.readFileSync('src/extension.ts', 'utf8');
  const registered = [...source.matchAll(/registerCommand\('([^']+)'/g)].map((match) => match[1]);
  assert.deepEqual(manifest.contributes.commands.map((one: { command: string }) => one.command).sort(), registered.sort());
});
