import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// The start scripts run in a separate project. Builds and installs are quick there and leave a trace.
const project = {
  'package.json': '{ "engines": { "node": ">=20.20.0" } }',
  'package-lock.json':
    '{ "packages": { "": {}, "node_modules/one": { "version": "1.0.0" }, "node_modules/other": { "version": ' +
    '"1.0.0", "optional": true } } }',
  'node_modules/.package-lock.json': '{ "packages": { "node_modules/one": { "version": "1.0.0" } } }',
  'node_modules/one/package.json': '{}',
  'node_modules/next/dist/bin/next': `
    const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
    const page = readFileSync('app/page', 'utf8')
    if (page === 'broken') { console.error('page is broken'); process.exit(1) }
    mkdirSync(process.env.NEXT_DIST_DIR, { recursive: true })
    writeFileSync(process.env.NEXT_DIST_DIR + '/page', page)`,
  'npm-cli.js': `
    if (process.argv[2] === 'config') console.log(process.cwd() + '/cache')
    else { console.log('no network'); process.exit(1) }`,
  'app/page': 'first',
  'engines/pool/child.ts': 'export {}',
  'engines/webpage/browser/child.ts': 'export {}',
  'engines/webpage/browser/remote-browser.ts': 'export {}',
  'engines/webpage/browser-fonts/make-fonts.ts': 'export {}',
  'lib/commands/account.ts': 'console.log(JSON.stringify(process.argv.slice(2)))',
  'lib/commands/reconcile.ts': '',
  'lib/start/server.ts': `
    import { readFileSync } from 'node:fs'
    export async function startServer({ distDir }: { distDir: string }) {
      process.stdin.resume().on('end', () => process.exit(0))
      console.log('serving ' + readFileSync(distDir + '/page', 'utf8'))
    }`,
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf start '))
  for (const [path, content] of Object.entries(project)) await write(path, content)
  for (const room of ['lib/build', 'lib/commands', 'lib/start']) {
    for (const name of await readdir(room))
      if (name.endsWith('.mjs')) await cp(join(room, name), join(folder, room, name))
  }
  for (const name of ['esbuild', 'wawoff2'])
    await symlink(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a start builds, and the next start with the same sources does not', async () => {
  const first = await serve()
  expect(first.said()).toMatch(/building[^]*serving first/)
  const second = await serve()
  expect(second.said()).toMatch(/serving first/)
  expect(second.said()).not.toMatch(/building/)
  await Promise.all([first.end(), second.end()])
})

test('two starts at once share one build', async () => {
  const both = await Promise.all([serve(), serve()])
  expect(both.filter(one => one.said().includes('sheaf: building'))).toHaveLength(1)
  expect(await readdir(join(folder, '.next/builds'))).toHaveLength(1)
  await Promise.all(both.map(one => one.end()))
})

test('a build is kept while a server uses it, and removed after the server ends, even by force', async () => {
  const first = await serve()
  await write('app/page', 'second')
  const second = await serve()
  expect(second.said()).toContain('serving second')
  expect(await readdir(join(folder, '.next/builds'))).toHaveLength(2)
  await first.end('SIGKILL')
  const third = await serve()
  expect(await readdir(join(folder, '.next/builds'))).toHaveLength(1)
  await Promise.all([second.end(), third.end()])
})

test('a failed build shows the reason, leaves nothing behind, and a corrected one starts', async () => {
  await write('app/page', 'broken')
  const failed = start('lib/start/start.mjs')
  expect(await failed.ended).toBe(1)
  expect(failed.said()).toMatch(/next build failed:[^]*page is broken/)
  expect(await readdir(join(folder, '.next/builds'))).toEqual([])
  await write('app/page', 'mended')
  await (await serve()).end()
})

test.each([
  ['is missing', async () => rm(join(folder, 'node_modules/.package-lock.json'))],
  [
    'is older than the lock',
    async () =>
      write('node_modules/.package-lock.json', '{ "packages": { "node_modules/one": { "version": "0.9.0" } } }'),
  ],
])('npm runs if the installation %s, and its last output is shown', async (_what, spoil) => {
  await spoil()
  const failed = start('lib/start/start.mjs')
  expect(await failed.ended).toBe(1)
  expect(failed.said()).toMatch(/npm failed to install the packages:[^]*no network/)
})

test('the account command prints only its result, with a build and without', async () => {
  const alone = start('lib/commands/account.mjs', ['a@example.com'])
  expect(await alone.ended).toBe(0)
  expect(alone.said()).toBe('["a@example.com"]\n')
  await (await serve()).end()
  const beside = start('lib/commands/account.mjs', ['b@example.com', '--rotate'])
  expect(await beside.ended).toBe(0)
  expect(beside.said()).toBe('["b@example.com","--rotate"]\n')
})

test('a start unpacks the fonts of new packages', async () => {
  const name = '@fontsource-variable/noto-sans-hebrew'
  const path = `node_modules/${name}/files/noto-sans-hebrew-hebrew-wght-normal`
  await write('package.json', JSON.stringify({ engines: { node: '>=20.20.0' }, dependencies: { [name]: '1.0.0' } }))
  await write(`${path}.woff2`, await readFile(`${path}.woff2`))
  await (await serve()).end()
  expect(await readFile(join(folder, `${path}.ttf`))).toEqual(await readFile(`${path}.ttf`))
})

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

async function serve() {
  const running = start('lib/start/start.mjs')
  while (!running.said().includes('serving')) {
    const firstOutput = await Promise.race([once(running.child.stdout, 'data'), running.ended])
    if (!Array.isArray(firstOutput)) throw new Error(`it ended with ${firstOutput}: ${running.said()}`)
  }
  return {
    said: running.said,
    end: async (signal?: NodeJS.Signals) => {
      if (signal) running.child.kill(signal)
      running.child.stdin.end()
      await running.ended
    },
  }
}

/** Runs a start script of the small project from another folder, as a service manager does. */
function start(script: string, args: string[] = []) {
  const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.js') }
  const child = spawn(process.execPath, [join(folder, script), ...args], {
    cwd: tmpdir(),
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part))
  // A ChildProcess reports this on exit.
  return { child, said: () => output, ended: once(child, 'close').then(([code]) => code as number | null) }
}
