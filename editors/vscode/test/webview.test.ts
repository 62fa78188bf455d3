import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pictureHtml, placeOf } from '../src/webview';

test('the page allows its own script and nothing from outside', () => {
  const html = pictureHtml('abc');
  assert.match(html, /default-src 'none'/);
  assert.match(html, /script-src 'nonce-abc'/);
  assert.equal([...html.matchAll(/<script/g)].length, 1);
  assert.doesNotMatch(html, /https?:/);
});

test('a place is a line from 1, and a path for another file', () => {
  assert.deepEqual(placeOf({ line: 3 }), { line: 3 });
  assert.deepEqual(placeOf({ line: 3, path: '/w/helper.py' }), { line: 3, path: '/w/helper.py' });
  for (const wrong of [undefined, null, 'ready', {}, { line: 0 }, { line: 1.5 }, { line: '3' }, { line: NaN }]) {
    assert.equal(placeOf(wrong), undefined);
  }
});
