// Packs the clients of `clients/` for `npm install` and `pip install`. The server offers them under `/clients`.
import { createHash } from 'node:crypto'
import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ROOT } from './project.mjs'
import { runCommand, tail } from './run-command.mjs'

const CLIENTS = join(ROOT, 'clients')
/** The same sources make the same bytes. Years before 1980 don't exist in a ZIP. */
const DATE = new Date(Date.UTC(1980, 0, 1, 12))

/**
 * Writes `sheaf-client.tgz`, `sheaf-cli.tgz` and the wheel of the Python client into a folder. Writes nothing if the
 * sources have no clients.
 */
export async function packClients(folder) {
  if (!existsSync(CLIENTS)) return
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'sheaf-clients-'))
  try {
    await packTypeScript(join(work, 'client'), join(folder, 'sheaf-client.tgz'))
    await packCli(join(work, 'cli'), join(folder, 'sheaf-cli.tgz'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  await packPython(folder)
}

async function packTypeScript(work, file) {
  const { code, output } = await runCommand(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(CLIENTS, 'typescript'), '--outDir', join(work, 'dist')],
    process.env,
  )
  if (code !== 0) throw new Error(`The TypeScript client was not built:\n\n${tail(output, 20)}`)
  await packNode('typescript', work, file)
}

/** The command with all packages that it needs, so that npm has nothing else to load. */
async function packCli(work, file) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: ROOT,
    entryPoints: { sheaf: join(CLIENTS, 'cli/src/main.ts') },
    outdir: join(work, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    legalComments: 'eof',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Packages in CommonJS load the modules of Node.js with `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  })
  await packNode('cli', work, file)
}

/** Packs a folder with `dist` as `npm pack` does: package.json and README.md beside it, all in the folder `package`. */
async function packNode(name, work, file) {
  const {
    scripts: _,
    dependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(CLIENTS, name, 'package.json'), 'utf8'))
  writeFileSync(join(work, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  cpSync(join(CLIENTS, name, 'README.md'), join(work, 'README.md'))
  const { pack } = await import('tar-fs')
  const archive = pack(work, {
    sort: true,
    map: header => ({
      ...header,
      name: header.name === '.' ? 'package' : `package/${header.name}`,
      mtime: DATE,
      uid: 0,
      gid: 0,
      uname: '',
      gname: '',
    }),
  })
  await pipeline(archive, createGzip({ level: 9 }), createWriteStream(file))
}

/** Writes a wheel (binary distribution format 1.0) without a build tool of Python, which servers may not have. */
async function packPython(folder) {
  const project = readFileSync(join(CLIENTS, 'python/pyproject.toml'), 'utf8')
  const read = key => new RegExp(`^${key} = "([^"]*)"$`, 'm').exec(project)?.[1] ?? ''
  const [name, version] = [read('name'), read('version')]
  const info = `${name.replaceAll('-', '_')}-${version}.dist-info`
  const source = join(CLIENTS, 'python/src/sheaf')
  const files = readdirSync(source)
    .filter(file => /\.(py|pyi|typed)$/.test(file))
    .toSorted()
    .map(file => [`sheaf/${file}`, readFileSync(join(source, file))])
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${read('description')}`,
    `Requires-Python: ${read('requires-python')}`,
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(CLIENTS, 'python/README.md'), 'utf8'),
  ].join('\n')
  files.push([`${info}/METADATA`, Buffer.from(metadata)])
  files.push([
    `${info}/WHEEL`,
    Buffer.from('Wheel-Version: 1.0\nGenerator: sheaf\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  ])
  const record = files.map(
    ([path, bytes]) => `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`,
  )
  files.push([`${info}/RECORD`, Buffer.from(`${[...record, `${info}/RECORD,,`].join('\n')}\n`)])
  const { default: JSZip } = await import('jszip')
  const zip = new JSZip()
  for (const [path, bytes] of files) zip.file(path, bytes, { date: DATE, createFolders: false })
  const wheel = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
  writeFileSync(join(folder, `${name.replaceAll('-', '_')}-${version}-py3-none-any.whl`), wheel)
}
