import { describe, expect, it } from 'vitest'
import { toLogicalLine, toLogicalWord } from '../../../engines/text-extraction/direction'

const word = (text: string, isRightToLeft: boolean) => ({ text, isRightToLeft })

describe('logical order', () => {
  it('reverses the letters of a right-to-left word but not its digits', () => {
    expect(toLogicalWord(Array.from('םולש'))).toBe('שלום')
    expect(toLogicalWord(Array.from('12ב'))).toBe('ב12')
  })

  it('reverses the words of a right-to-left line but not Latin words in it', () => {
    const line = [word('סוף', true), word('Sheaf', false), word('API', false), word('התחלה', true)]
    expect(toLogicalLine(line).words.map(({ text }) => text)).toEqual(['התחלה', 'Sheaf', 'API', 'סוף'])
  })

  it('keeps left-to-right lines, and reverses runs of other words in them', () => {
    const line = [word('one', false), word('ב', true), word('א', true), word('twothree', false)]
    expect(toLogicalLine(line).words.map(({ text }) => text)).toEqual(['one', 'א', 'ב', 'twothree'])
  })
})
