import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../../lib/config'
import { describeMarkdownFile } from '../../../../lib/docs/pages/markdown-file'
import type { Block } from '../../../../lib/docs/pages/page'
import { isRead, listVariables } from '../../../deploy/variables'

const selfHosting = describeMarkdownFile('self-hosting').blocks
const configuration = describeMarkdownFile('configuration').blocks
const text = JSON.stringify(selfHosting)

const listTables = (blocks: Block[]) =>
  blocks.filter((block): block is Extract<Block, { kind: 'table' }> => block.kind === 'table')

/** Variables whose default depends on the machine. */
const BY_MACHINE = new Map([
  ['ENGINES', 'cores'],
  ['WEB_PAGES', '2 × cores'],
])

describe('the configuration page', () => {
  const rows = listTables(configuration).flatMap(table => table.rows)
  const defaults = readConfig({}) as unknown as Record<string, string | number | undefined>

  it('has every variable, with an anchor', () => {
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(listVariables()))
    expect(rows.length).toBe(listVariables().length)
    for (const { columns } of listTables(configuration)) expect(columns).toEqual(['Variable', 'Default', 'Meaning'])
  })

  it.each(rows)('describes the value of $id if it is unset', ({ id = '', cells: [, value, meaning] }) => {
    const actual = defaults[id]
    expect(value).toBe(BY_MACHINE.get(id) ?? (actual === undefined ? 'unset' : String(actual)))
    expect(meaning).toMatch(/\.$/)
  })
})

describe('the self-hosting page', () => {
  it('names only variables that Sheaf or its compose file reads', () => {
    const compose = readFileSync('deploy/compose.yaml', 'utf8')
    const named = [...text.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, name = '']) => name)
    expect([...new Set(named)].filter(name => !isRead(name) && !compose.includes(`\${${name}:`))).toEqual([])
  })

  it('gives every bottleneck a symptom, a metric and a remedy', () => {
    const rows = listTables(selfHosting).find(({ columns }) => columns[0] === 'Bottleneck')?.rows ?? []
    expect(rows.map(({ cells }) => cells[0])).toEqual(['Queue', 'Database', 'Browser', 'Disk', 'Memory'])
    for (const { cells } of rows) expect(cells[2]).toMatch(/`sheaf_[a-z_]+`/)
  })

  it('describes the pool and statements as in the database module', () => {
    const connections = /const CONNECTIONS = (\d+)/.exec(readFileSync('db/postgres-pool.ts', 'utf8'))?.[1]
    expect(text).toContain(`An instance opens up to ${connections} connections`)
    expect(readFileSync('db/client.ts', 'utf8')).toContain('statementTimeoutMs = 4_500')
    expect(text).toContain('Statements and transactions end after 4.5 s')
  })

  it('lists the events of Stripe that Sheaf handles', () => {
    const handled = [...readFileSync('lib/purchases/stripe-facts.ts', 'utf8').matchAll(/'([a-z_]+(?:\.[a-z_]+)+)'/g)]
    expect(handled.length).toBeGreaterThan(5)
    for (const [, event = ''] of handled) expect(text).toContain(`\`${event}\``)
  })
})
