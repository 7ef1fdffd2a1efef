import { describe, expect, it } from 'vitest'
import createBidi from 'bidi-js'
import { hasRightToLeft, toLogicalLine } from '../../../../../engines/features/text-extraction/lines/direction'

const bidi = createBidi()

/** A line as a reader shows it, by another implementation of the bidirectional algorithm. */
function show(logical: string, direction: 'ltr' | 'rtl'): string {
  const levels = bidi.getEmbeddingLevels(logical, direction)
  const characters = [...logical]
  const mirrored = bidi.getMirroredCharactersMap(logical, levels.levels)
  for (const [index, character] of mirrored) characters[index] = character
  for (const [start, end] of bidi.getReorderSegments(logical, levels))
    characters.splice(start, end - start + 1, ...characters.slice(start, end + 1).reverse())
  return characters.join('')
}

/** Reads a shown line. */
function read(shown: string): string {
  const words = shown.split(' ').map(text => ({ text, visual: [...text], isRightToLeft: hasRightToLeft(text) }))
  return toLogicalLine(words)
    .words.map(({ text }) => text)
    .join(' ')
}

describe('logical order', () => {
  it.each([
    'שלום עולם',
    'מחיר 12.50 שקל',
    'התחלה Sheaf API סוף',
    'ב12',
    'نسخة (PDF) من الدليل',
    'نسخة (ثانية) من الدليل',
    'السعر ٢٫٥ دينار',
    'المجموع ١٬٢٥٠٫٧٥ د.ك.',
    'في ٠٢/٠٣/٢٠٢٦ مساء',
    'الرقم KW-998877 هنا',
    'اكتب إلى info@alnoor.example اليوم',
    'نسبة 5% فقط',
    'من 10:30 إلى 12:00',
    'إصدار Sheaf 2.1 الجديد',
    'قال «نعم» ثم ذهب',
  ])('of a right-to-left line: %s', logical => {
    expect(read(show(logical, 'rtl'))).toBe(logical)
  })

  it.each(['The word שלום means peace', 'Write שלום עולם or 12', 'See (שלום) here', 'Price 12.50 for דג 7 דג now'])(
    'of a left-to-right line: %s',
    logical => {
      expect(read(show(logical, 'ltr'))).toBe(logical)
    },
  )

  it('of recognized words, whose characters are in logical order already', () => {
    const words = ['עולם', '12', 'שלום'].map(text => ({ text, isRightToLeft: hasRightToLeft(text) }))
    expect(toLogicalLine(words).words.map(({ text }) => text)).toEqual(['שלום', '12', 'עולם'])
  })

  it('leaves left-to-right lines as they are', () => {
    expect(read('Total (12.50) is 3')).toBe('Total (12.50) is 3')
  })
})
