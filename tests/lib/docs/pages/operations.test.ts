import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeOperations } from '../../../../lib/docs/pages/operations'
import type { Block } from '../../../../lib/docs/pages/page'
import { isRead, listVariables } from '../../../deploy/variables'

const { blocks } = describeOperations()
const tables = blocks.filter((block): block is Extract<Block, { kind: 'table' }> => block.kind === 'table')
const text = JSON.stringify(blocks)

describe('the page for operators', () => {
  it('has every variable of the configuration, with its default and its meaning', () => {
    const rows = tables.find(({ columns }) => columns[0] === 'Variable')?.rows ?? []
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(listVariables()))
    for (const { cells } of rows) expect(cells.every(cell => cell.trim().length > 0)).toBe(true)
  })

  it('names no variable that is not read', () => {
    const named = [...text.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, name = '']) => name)
    expect([...new Set(named)].filter(name => !isRead(name))).toEqual([])
  })

  it('gives every bottleneck a symptom, a metric and a remedy', () => {
    const rows = tables.find(({ columns }) => columns[0] === 'Bottleneck')?.rows ?? []
    expect(rows.map(({ cells }) => cells[0])).toEqual(['Queue', 'Database', 'Browser', 'Disk', 'Memory'])
    for (const { cells } of rows) expect(cells[2]).toMatch(/`sheaf_[a-z_]+`/)
  })

  it('says of the pool and of statements what the database module does', () => {
    const connections = /const CONNECTIONS = (\d+)/.exec(readFileSync('db/postgres-pool.ts', 'utf8'))?.[1]
    expect(text).toContain(`An instance opens up to ${connections} connections`)
    expect(readFileSync('db/client.ts', 'utf8')).toContain('statementTimeoutMs = 4_500')
    expect(text).toContain('Statements end after 4.5 s')
    expect(existsSync('deploy')).toBe(true)
  })
})
