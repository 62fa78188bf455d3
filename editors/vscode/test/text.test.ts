import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Finding, findingsAt, mentionsPallas, statusLabel, statusTooltip } from '../src/text';

test('Pallas is told by its module and the usual names of its parts', () => {
  for (const text of ['from jax.experimental import pallas as pl', 'from ours import pltpu', 'import plgpu', 'plsc.VectorSubcoreMesh']) {
    assert.ok(mentionsPallas(text), text);
  }
  assert.ok(!mentionsPallas('import jax.numpy as jnp\nx = jnp.ones(3)\n'));
});

const status = { version: '0.1.0', jax: { version: '0.12.0', from: 'uv.lock' }, chip: 'v5e', chips: ['v4', 'v5e'], source: '/w/pyproject.toml' };

test('the status bar shows the release and the chip', () => {
  assert.equal(statusLabel(status), 'JAX 0.12.0 · v5e');
  assert.equal(statusLabel({ ...status, chip: null }), 'JAX 0.12.0 · any chip');
});

test('the tooltip says where they come from', () => {
  assert.match(statusTooltip(status), /from uv\.lock/);
  assert.match(statusTooltip(status), /\/w\/pyproject\.toml/);
  assert.match(statusTooltip({ ...status, jax: { version: '0.12.0', from: '' }, chip: null, source: '' }), /newest known[\s\S]*every chip/);
});

const finding = (code: string, from: [number, number], to: [number, number], source = 'pallas-lsp'): Finding => ({
  source,
  code: { value: code },
  start: { line: from[0], character: from[1] },
  end: { line: to[0], character: to[1] },
});

test('the finding under the cursor, not that of another tool', () => {
  const all = [finding('ours', [3, 4], [3, 9]), finding('F401', [3, 4], [3, 9], 'Ruff')];
  assert.deepEqual(findingsAt(all, { line: 3, character: 9 }), ['ours']);
  assert.deepEqual(findingsAt(all, { line: 4, character: 0 }), []);
});

test('elsewhere on the line all findings of the line', () => {
  const all = [finding('a', [3, 4], [3, 9]), finding('b', [3, 20], [3, 25]), finding('c', [7, 0], [7, 1])];
  assert.deepEqual(findingsAt(all, { line: 3, character: 0 }), ['a', 'b']);
});

test('of nested findings the inner one comes first, each name once', () => {
  const all = [finding('outer', [1, 0], [5, 0]), finding('inner', [3, 2], [3, 8]), finding('inner', [3, 3], [3, 8])];
  assert.deepEqual(findingsAt(all, { line: 3, character: 4 }), ['inner', 'outer']);
});

test('a code that is a plain string or a number is a name too', () => {
  const at = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  assert.deepEqual(findingsAt([{ source: 'pallas-lsp', code: 'plain', ...at }, { source: 'pallas-lsp', ...at }], { line: 0, character: 0 }), ['plain']);
});
