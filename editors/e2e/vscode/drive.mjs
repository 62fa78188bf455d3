// Types and clicks in VS Code's workbench as a person would, and waits for what that person would see. Every wait is for a
// condition; the time limits only end a run that would never end.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [base, work, shots, executablePath] = process.argv.slice(2);
const folder = path.join(work, 'kernels');
const kernel = path.join(folder, 'embed.py');
const begin = Date.now();
const ok = (what) => console.log(`ok: ${what} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 });
page.setDefaultTimeout(120_000);
const shot = (name) => page.screenshot({ path: path.join(shots, `${name}.png`) });

/** The processes that run the server out of the VSIX. */
function servers() {
  return fs.readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readlinkSync(`/proc/${pid}/exe`).startsWith(path.join(work, 'extensions'));
    } catch {
      return false; // it ended meanwhile
    }
  });
}

async function until(what, condition) {
  for (const end = Date.now() + 120_000; !(await condition()); await page.waitForTimeout(100)) {
    assert.ok(Date.now() < end, `not within two minutes: ${what}`);
  }
}

async function command(title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input[type=text]').first().fill(`>${title}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

/** Opens a file of the folder in the explorer, at a place if one is given. */
async function open(name, place) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await editor.click({ position: { x: 300, y: 120 } }); // not at a line: the first may be scrolled out of sight
  if (place !== undefined) {
    await goto(place);
  }
}

async function goto(place) {
  await page.keyboard.press('Control+G');
  await page.locator('.quick-input-widget input[type=text]').first().fill(`:${place}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

const editor = page.locator('.editor-instance .monaco-editor').first();
const code = (text) => editor.locator('.view-line', { hasText: text });
const status = page.locator('#pallas-lsp\\.pallas-lsp\\.pallas-lsp\\.status, [id$="pallas-lsp.status"]').first();
const problem = (text) => page.locator('.markers-panel .monaco-list-row', { hasText: text });
const finding = 'is in HBM; a SparseCore vector subcore can load only';

/** Changes settings as a person does, in the file that a command opens, and comes back to the kernel. */
async function settings(change, which = 'User') {
  await command(`Preferences: Open ${which} Settings (JSON)`);
  await page.locator('.tab.active', { hasText: 'settings.json' }).waitFor();
  await editor.click({ position: { x: 300, y: 120 } }); // not at a line: the first may be scrolled out of sight
  const file = path.join(work, 'user', which === 'User' ? 'User' : 'Machine', 'settings.json');
  const text = JSON.stringify({ ...JSON.parse((fs.existsSync(file) && fs.readFileSync(file, 'utf8')) || '{}'), ...change });
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
  await page.keyboard.press('Control+S');
  await until(`${which} settings saved`, () => fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text);
  await command('View: Close Editor');
  await page.locator('.tab.active[data-resource-name="embed.py"]').waitFor();
}

try {
  await page.goto(`${base}/?folder=${encodeURIComponent(folder)}`);
  await page.locator('.monaco-workbench').waitFor();
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'plain.py' }).waitFor();
  await page.locator('.statusbar', { hasText: 'Restricted Mode' }).waitFor();

  await open('plain.py');
  await page.locator('.statusbar', { hasText: 'Python' }).waitFor();
  await activated();
  assert.deepEqual(servers(), []);
  await command('Notifications: Clear All Notifications');
  ok('quiet for Python without Pallas');

  await open('beside.py');
  await editor.locator('.squiggly-error').first().waitFor();
  await until('one server', () => servers().length === 1);
  ok('the server in the VSIX runs, in Restricted Mode');
  await page.keyboard.press('Control+Shift+M'); // stays open, so that each step sees the findings
  await problem(finding).waitFor();
  assert.match(await problem(finding).innerText(), /pallas-lsp[\s\S]*sc-get-noncore-memory[\s\S]*Ln 20, Col 23/);
  assert.match(await problem('`os` imported but unused').innerText(), /ruff/i);
  assert.match(await problem('is not assignable to declared type "int"').innerText(), /pyright/i);
  await shot('beside');
  ok('the finding, beside those of ruff and pyright');
  await command('View: Close Editor');
  await problem(finding).waitFor({ state: 'detached' });

  await open('embed.py');
  await problem(finding).waitFor();
  await problem('stay in HBM').dblclick();
  await page.locator('.statusbar', { hasText: /Ln 17, Col 2 \(\d+ selected\)/ }).waitFor();
  ok('the related location');

  await code('x_hbm[...] * 2.0').waitFor();
  await code(': HBM f32[16]').first().waitFor();
  ok('inlay hints');

  await status.waitFor();
  await until('the status', async () => /JAX \d[\d.]* · any chip/.test(await status.innerText()));
  await status.click();
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'v5p' }).click();
  await until('the chip in the status', async () => (await status.innerText()).endsWith('v5p'));
  assert.equal(JSON.parse(fs.readFileSync(path.join(folder, '.vscode', 'settings.json'), 'utf8'))['pallas-lsp.chip'], 'v5p');
  ok('the status item, and the chip chosen there');

  await settings({ 'pallas-lsp.hints.refs': false });
  await until('no hint', async () => (await code(': HBM f32[16]').count()) === 0);
  await settings({ 'pallas-lsp.hints.refs': true });
  await code(': HBM f32[16]').first().waitFor();
  await settings({ 'pallas-lsp.severity': { 'sc-get-noncore-memory': 'off' } });
  await until('the rule off', async () => !(await hasFinding()));
  await settings({ 'pallas-lsp.severity': {} });
  await until('the rule on', hasFinding);
  ok('settings are obeyed while it runs');

  const [old] = servers();
  process.kill(Number(old), 'SIGKILL');
  await until('another server', () => servers().length === 1 && servers()[0] !== old);
  await until('the finding', hasFinding);
  ok('killed, started again');
  const [second] = servers();
  await command('Pallas: Restart the Server');
  await until('a third server', () => servers().length === 1 && servers()[0] !== second);
  await until('the finding', hasFinding);
  ok('restarted by command');

  await settings({ 'pallas-lsp.path': '/no/such/pallas-lsp' }, 'Remote');
  const toast = page.locator('.notification-toast', { hasText: '"pallas-lsp.path" names /no/such/pallas-lsp' });
  await toast.waitFor();
  await until('no server', () => servers().length === 0);
  await settings({ 'pallas-lsp.path': '' }, 'Remote');
  await until('the server again', () => servers().length === 1);
  await command('Notifications: Clear All Notifications');
  await until('the finding', hasFinding);
  ok('a wrong path is named, the right one is taken up');

  await goto(19);
  const word = code('x_hbm[...] * 2.0').locator('span span', { hasText: 'x_hbm' }).last();
  await word.hover({ position: { x: 10, y: 8 } });
  const hover = page.locator('.monaco-hover:visible', { hasText: 'Ref in HBM' }).first();
  await hover.waitFor();
  assert.match(await hover.innerText(), /sc-get-noncore-memory/);
  await shot('hover');
  ok('hover: the ref and the page');
  await page.mouse.move(1100, 700);
  await hover.waitFor({ state: 'hidden' });

  await goto('19:17');
  await command('Pallas: Explain the Finding Here');
  await previewHas('sc-get-noncore-memory');
  await shot('page');
  ok('the page of the finding');
  await command('View: Close Editor');

  await open('traceback.txt');
  await page.keyboard.press('Control+A');
  await command('Pallas: Explain a Copied Error');
  await previewHas('/home/me/embed.py:19');
  ok('a pasted error');
  await command('View: Close Editor');

  await open('embed.py', '19:17');
  await command('Pallas: Show the Picture of the Kernel');
  const picture = await frameWith('#picture svg', /x_hbm/);
  await shot('picture');
  await picture.locator('[data-line="18"]').first().dispatchEvent('click'); // a tooltip of the window may lie above it
  await page.locator('.statusbar', { hasText: 'Ln 18' }).waitFor();
  ok('the picture of the kernel, and from it to the code');

  await goto('19:17');
  await page.keyboard.press('Control+Period');
  const action = page.locator('.action-widget .monaco-list-row', { hasText: 'Stage `x_hbm` through VMEM with async_copy' });
  await action.waitFor();
  await shot('actions');
  await action.click();
  await code('pltpu.async_copy(x_hbm, x_hbm_vmem, x_hbm_sem).wait()').waitFor();
  await until('the finding gone', async () => !(await hasFinding()));
  await page.keyboard.press('Control+S');
  await until('saved', () => fs.readFileSync(kernel, 'utf8').includes('x_hbm_sem).wait()'));
  await frameWith('#picture svg', /x_hbm_vmem/);
  await shot('fixed');
  ok('staged and saved');
} catch (error) {
  await shot('failed').catch(() => {});
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}

/** Runs a command of the extension until it is there to answer: VS Code offers commands before it has loaded what they run. */
async function activated() {
  const answer = page.locator('.notification-toast', { hasText: 'no finding of pallas-lsp on this line' });
  const early = page.locator('.monaco-dialog-box', { hasText: 'not found' });
  await until('the extension answers', async () => {
    await command('Pallas: Explain the Finding Here');
    await answer.or(early).first().waitFor({ timeout: 15_000 }).catch(() => {}); // then it is asked again
    if (await early.isVisible()) {
      await page.keyboard.press('Enter'); // its button has the focus
      await early.waitFor({ state: 'detached' });
    }
    return answer.isVisible();
  });
}

async function hasFinding() {
  return (await problem(finding).count()) > 0;
}

/** The frame of a page in the page that has an element with a text. */
async function frameWith(selector, text) {
  let found;
  await until(`${selector} with ${text}`, async () => {
    for (const frame of page.frames().slice(1)) {
      const content = await frame.evaluate((s) => document.querySelector(s)?.textContent ?? '', selector).catch(() => '');
      if (text.test(content)) {
        found = frame;
      }
    }
    return found !== undefined;
  });
  return found;
}

/** Waits for a text in VS Code's preview of Markdown. */
async function previewHas(text) {
  await frameWith('body', new RegExp(text.replaceAll('/', '\\/').replaceAll('.', '\\.')));
}
