import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

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
  'engines/create-engines.ts': "import { core } from './pdf-core/core'\nexport const run = core",
  'engines/pdf-core/core.ts': 'export const core = 1',
  'engines/tools/tools.ts': "export { one } from './one'\nexport { two } from './two'",
  'engines/tools/one.ts': 'export const one = 1',
  'engines/tools/two.ts': "import { core } from '../pdf-core/core'\nexport const two = core",
}

test('a tree that follows the rules passes', async () => {
  expect(await check({})).toEqual({ code: 0, problems: [] })
})

test("a cycle of types passes, because types don't exist at runtime", async () => {
  const circle = {
    'lib/tax.ts': "import type { A } from './a'\nexport type Tax = number\nexport const tax: A = 1",
    'lib/a.ts': "import { tax } from './tax'\nexport type A = number\nexport const a = tax",
  }
  expect(await check(circle)).toEqual({ code: 0, problems: [] })
})

test.each([
  [
    'an engine that imports the service',
    { 'engines/pdf-core/core.ts': "import { price } from '../../lib/price'\nexport const core = price" },
    'engines/pdf-core/core.ts:1: may not import lib/price.ts',
  ],
  [
    'a relative import of a type from another folder',
    { 'db/rows.ts': "import type { Tax } from '../lib/tax'\nexport const rows: Tax = 1" },
    'db/rows.ts:1: may not import lib/tax.ts (types)',
  ],
  [
    'a page that imports a private file of engines',
    { 'app/page.tsx': "import { core } from '../engines/pdf-core/core'\nexport default () => core" },
    'app/page.tsx:1: may not import engines/pdf-core/core.ts',
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
    { 'engines/pdf/syntax/scan.ts': "import { core } from '../core'\nexport const scan = core" },
    'engines/pdf/syntax/scan.ts:1: may not import engines/pdf-core/core.ts: the row of engines/pdf/syntax',
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
  const result = await check(change)
  expect(result.code).toBe(1)
  expect(result.problems).toEqual([expect.stringContaining(problem)])
})

test('a page that reaches work of other processes through other modules is reported', async () => {
  const { code, problems } = await check({
    'engines/create-engines.ts': "import { core } from './webpage/archive/read'\nexport const run = core",
    'engines/webpage/archive/read.ts': 'export const core = 1',
  })
  expect(code).toBe(1)
  expect(problems.at(-1)).toContain('app/page.tsx: may not reach engines/webpage/archive/read.ts: an engine reads')
})

test('rooms that import each other are reported, even if no files form a cycle', async () => {
  const { code, problems } = await check({
    'engines/pdf/content/rewriting/a.ts': "import { b } from './fonts/b'\nexport const a = b",
    'engines/pdf/content/rewriting/c.ts': 'export const c = 1',
    'engines/pdf/fonts/b.ts': 'export const b = 1',
    'engines/pdf/fonts/d.ts': "import { c } from '../c'\nexport const d = c",
  })
  expect(code).toBe(1)
  expect(problems.at(-1)).toMatch(/^rooms import in a circle: engines\/content/)
})

async function check(change: Record<string, string>): Promise<{ code: number; problems: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-boundaries-'))
  try {
    for (const [path, content] of Object.entries({ ...clean, ...change })) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    return await new Promise(resolve => {
      const child = execFile(process.execPath, ['tests/check-boundaries.mjs', folder], (_error, output) => {
        resolve({ code: child.exitCode ?? -1, problems: output.trimEnd().split('\n').slice(0, -1) })
      })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
