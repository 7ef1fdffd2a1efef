import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkTree } from './find-import-problems.mjs'

const clean = {
  'package.json': '{ "dependencies": { "zod": "1" } }',
  'app/page.tsx':
    "import { price } from '../lib/price'\nimport { run } from '../engines/create-engines'\nexport default () => [price, run]",
  'app/_ui/form.tsx': "import type { Price } from '../../lib/price'\nexport const form: Price = 1",
  'lib/price.ts':
    "import * as z from 'zod'\nimport { rows } from '../db/rows'\nexport type Price = number\nexport const price = " +
    '[z, rows]',
  'lib/tax.ts': 'export type Tax = number\nexport const tax = 1',
  'db/rows.ts': 'export const rows = 1',
  'engines/create-engines.ts': "import { one } from './tools/one'\nexport const run = one",
  'engines/pdf/core.ts': "export { core } from './syntax/core'",
  'engines/pdf/syntax/core.ts': 'export type Core = number\nexport const core = 1',
  'engines/pdf/pages/page.ts': 'export type Page = number\nexport const page = 1',
  'engines/options/color.ts': 'export type Color = number\nexport const color = 1',
  'engines/tools/tools.ts': "export { one } from './one'\nexport { two } from './two'",
  'engines/tools/one.ts': 'export const one = 1',
  'engines/tools/two.ts': "import { core } from '../pdf/core'\nexport const two = core",
}

test('a tree that follows the rules passes', async () => {
  expect(await check({})).toEqual([])
})

test("a cycle of types of the service passes, because types don't exist at runtime", async () => {
  const circle = {
    'lib/tax.ts': "import type { A } from './a'\nexport type Tax = number\nexport const tax: A = 1",
    'lib/a.ts': "import { tax } from './tax'\nexport type A = number\nexport const a = tax",
  }
  expect(await check(circle)).toEqual([])
})

test.each([
  [
    'an engine that imports the service',
    { 'engines/pdf/syntax/core.ts': "import { price } from '../../../lib/price'\nexport const core = price" },
    'engines/pdf/syntax/core.ts:1: may not import lib/price.ts',
  ],
  [
    'a relative import of a type from another folder',
    { 'db/rows.ts': "import type { Tax } from '../lib/tax'\nexport const rows: Tax = 1" },
    'db/rows.ts:1: may not import lib/tax.ts (types)',
  ],
  [
    'a page that imports a private file of engines',
    { 'app/page.tsx': "import { core } from '../engines/pdf/core'\nexport default () => core" },
    'app/page.tsx:1: may not import engines/pdf/core.ts',
  ],
  [
    'a client component that imports more than types',
    { 'app/_ui/form.tsx': "import { price } from '../../lib/price'\nexport const form = price" },
    'app/_ui/form.tsx:1: may not import lib/price.ts',
  ],
  [
    'a tool that imports another one',
    { 'engines/tools/two.ts': "import { one } from './one'\nexport const two = one" },
    'engines/tools/two.ts:1: a tool may not import another one',
  ],
  [
    'a file that re-exports other modules',
    { 'lib/more.ts': "export { price } from './price'" },
    'lib/more.ts:1: hands on ./price',
  ],
  [
    'a room that imports another room without a row for it',
    { 'engines/options/scan.ts': "import { core } from '../pdf/core'\nexport const scan = core" },
    'engines/options/scan.ts:1: may not import engines/pdf/core.ts: the row of engines/options',
  ],
  [
    'a type from a room without a row for it',
    { 'engines/pdf/syntax/scan.ts': "import type { One } from '../../tools/one'\nexport const scan: One = 1" },
    'engines/pdf/syntax/scan.ts:1: may not import engines/tools/one.ts: the row of engines/pdf',
  ],
  [
    'an import past the front door of the PDF library',
    { 'engines/tools/two.ts': "import { core } from '../pdf/syntax/core'\nexport const two = core" },
    'engines/tools/two.ts:1: may not import engines/pdf/syntax/core.ts: only the files directly in engines/pdf/',
  ],
  [
    'an import of a front door from inside',
    { 'engines/pdf/pages/scan.ts': "import { core } from '../core'\nexport const scan = core" },
    'engines/pdf/pages/scan.ts:1: may not import engines/pdf/core.ts: the files directly in engines/pdf/ are for',
  ],
  [
    'a room without a row',
    { 'lib/new-room/tax.ts': "import { tax } from '../tax'\nexport const more = tax" },
    'lib/new-room/tax.ts:1: no row of rooms says what lib/new-room may import',
  ],
  [
    'a cycle',
    {
      'lib/price.ts': "import { a } from './a'\nexport const price = a",
      'lib/a.ts': "import { price } from './price'\nexport const a = price",
    },
    'imports in a circle: lib/price.ts → lib/a.ts → lib/price.ts',
  ],
  [
    'an import of a package that is not shipped',
    { 'lib/price.ts': "import vitest from 'vitest'\nexport const price = vitest" },
    'lib/price.ts:1: vitest is not in the dependencies',
  ],
  [
    'a database in an engine',
    { 'engines/create-engines.ts': "import postgres from 'postgres'\nexport const run = postgres" },
    'engines/create-engines.ts:1: postgres is not for here',
  ],
  [
    'a dynamic import',
    { 'db/rows.ts': "export const rows = import('../lib/tax')" },
    'db/rows.ts:1: may not import lib/tax.ts',
  ],
  [
    'an import of a missing file',
    { 'lib/price.ts': "import { x } from './gone'\nexport const price = x" },
    'lib/price.ts:1: ./gone leads to no file',
  ],
  [
    "a file name that doesn't describe the file",
    { 'lib/utils.ts': 'export const a = 1' },
    'lib/utils.ts: this name says nothing',
  ],
  [
    "a file name that isn't in kebab-case",
    { 'lib/readPrice.ts': 'export const a = 1' },
    'lib/readPrice.ts: file names are kebab-case',
  ],
])('%s is reported', async (_what, change, problem) => {
  expect(await check(change)).toEqual([expect.stringContaining(problem)])
})

test('a page that reaches work of other processes through other modules is reported', async () => {
  const problems = await check({
    'engines/create-engines.ts': "import { core } from './webpage/archive/read'\nexport const run = core",
    'engines/webpage/archive/read.ts': 'export const core = 1',
  })
  expect(problems.at(-1)).toContain('app/page.tsx: may not reach engines/webpage/archive/read.ts: an engine reads')
})

test.each([
  ['values', 'import'],
  ['types', 'import type'],
])('folders of engines that import %s of each other are reported, even if no files form a cycle', async (_, word) => {
  const problems = await check({
    'engines/pdf/pages/a.ts': "import { core } from '../syntax/core'\nexport const a = core",
    'engines/pdf/syntax/b.ts': `${word} { page } from '../pages/page'\nexport const b: page = 1`,
  })
  expect(problems.at(-1)).toMatch(/^folders import in a circle: engines\/pdf\//)
})

test('a folder may use the types of the folder above it', async () => {
  const change = {
    'engines/pdf/pages/a.ts': "import { b } from './inner/b'\nexport const a = b",
    'engines/pdf/pages/inner/b.ts': "import type { Page } from '../page'\nexport const b: Page = 1",
  }
  expect(await check(change)).toEqual([])
})

test('the command prints what it finds, and its exit code tells whether there is anything', async () => {
  await withTree({}, folder => expect(runCommand(folder)).toEqual([0, '13 files, 10 imports, 0 against the rules\n']))
  await withTree({ 'lib/utils.ts': 'export const a = 1' }, folder =>
    expect(runCommand(folder)).toEqual([1, expect.stringMatching(/^lib\/utils\.ts: .*\n14 files, .*, 1 against/)]),
  )
})

function runCommand(folder: string): [number | null, string] {
  const { status, stdout } = spawnSync(process.execPath, ['tests/check-boundaries.mjs', folder], { encoding: 'utf8' })
  return [status, stdout]
}

/** Lists what is against the rules in a tree with these files. */
function check(change: Record<string, string>): Promise<string[]> {
  return withTree(change, folder => checkTree(folder).problems)
}

async function withTree<T>(change: Record<string, string>, work: (folder: string) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-boundaries-'))
  try {
    for (const [path, content] of Object.entries({ ...clean, ...change })) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    return work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
