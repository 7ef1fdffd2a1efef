import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type Cell, streamCsv, writeRow } from '../../lib/csv'

describe('a row of a table as CSV', () => {
  it('quotes what has commas, quotes or line ends, and ends with CRLF', () => {
    expect(writeRow(['a', 'b,c', 'say "d"', 'e\nf', null, -3, true, new Date(0)])).toBe(
      'a,"b,c","say ""d""","e\nf",,-3,true,1970-01-01T00:00:00.000Z\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', ' =1'])(
    'lets no spreadsheet interpret %j as a formula',
    cell => {
      expect(writeRow([cell]).replace(/^"/, '')).toMatch(/^'/)
    },
  )
})

describe('a table as CSV', () => {
  it('reads its source only as fast as the consumer reads, and stops when the consumer stops', async () => {
    let read = 0
    let isOver = false
    async function* rows(): AsyncGenerator<Cell[]> {
      try {
        for (; read < 100_000; read += 1) yield ['x'.repeat(100)]
      } finally {
        isOver = true
      }
    }
    const reader = streamCsv(['a'], rows()).getReader()
    await reader.read()
    await reader.read()
    await reader.cancel()
    expect(read).toBeLessThan(2000)
    expect(isOver).toBe(true)
  })

  it('has all rows under its header', async () => {
    async function* rows(): AsyncGenerator<Cell[]> {
      for (let row = 0; row < 5000; row += 1) yield [row, 'text']
    }
    const lines = (await text(streamCsv(['number', 'word'], rows()))).split('\r\n')
    expect(lines[0]).toBe('number,word')
    expect(lines).toHaveLength(5002)
    expect(lines.at(-2)).toBe('4999,text')
  })
})
