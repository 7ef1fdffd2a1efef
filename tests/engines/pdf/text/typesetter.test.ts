import { describe, expect, it } from 'vitest'
import { isEngineError } from '../../../../engines/errors'
import { measureInk, openTypesetter, type TextStyle } from '../../../../engines/pdf/text/typesetter'
import { LINES, RIGHT_TO_LEFT } from '../../../fixtures/scripts'

const typesetter = await openTypesetter()

/** The faces of a line from left to right. */
function faces(text: string, style?: TextStyle): string[] {
  return [...new Set(typesetter.shape(text, style).runs.map(run => run.face.name))]
}

/** The text of the clusters, from left to right. */
function seen(text: string, style?: TextStyle): string {
  return typesetter
    .shape(text, style)
    .runs.flatMap(run => run.clusters.map(cluster => cluster.text))
    .join('')
}

describe('shape: fonts', () => {
  it('draws every line of every script without losing text', () => {
    for (const [script, line] of Object.entries(LINES)) {
      if (RIGHT_TO_LEFT.includes(script)) expect(Array.from(seen(line)).reverse().join(''), script).toBe(line)
      else expect(seen(line), script).toBe(line)
    }
  })

  it('uses one font if the font has all characters', () => {
    for (const script of ['greek', 'cyrillic', 'vietnamese', 'decomposed'])
      expect(faces(LINES[script] ?? ''), script).toEqual(['Inter'])
    expect(faces(LINES.arabic ?? '')).toEqual(['NotoSansArabic'])
    expect(faces('नमस्ते भारत')).toEqual(['NotoSansDevanagari'])
  })

  it('takes Latin digits and signs from the main font, whatever surrounds them', () => {
    expect(faces('山田 123 €')).toEqual(['NotoSansSC', 'Inter'])
    expect(faces('فاتورة 123')).toEqual(['Inter', 'NotoSansArabic'])
    expect(faces('😀 ok')).toEqual(['NotoEmoji', 'Inter'])
  })

  it('writes Chinese characters in the forms of the region, by the text or by the language', () => {
    expect(faces('机密文件')).toEqual(['NotoSansSC'])
    expect(faces('機密檔案')).toEqual(['NotoSansTC'])
    expect(faces('社外秘カタカナ')).toEqual(['NotoSansJP'])
    expect(faces('文書 대외비')).toContain('NotoSansKR')
    expect(faces('文件', { language: 'ja' })).toEqual(['NotoSansJP'])
    expect(faces('文件', { language: 'zh-Hant' })).toEqual(['NotoSansTC'])
    expect(faces('文件', { language: 'ko-KR' })).toEqual(['NotoSansKR'])
  })

  it('is bold and italic if the fonts are', () => {
    expect(faces('Bold', { weight: 700 })).toEqual(['Inter-700'])
    expect(faces('机密', { weight: 700 })).toEqual(['NotoSansSC-700'])
    expect(faces('Slanted', { isItalic: true })).toEqual(['Inter-Italic'])
    expect(typesetter.shape('Bold', { weight: 700 }).width).toBeGreaterThan(typesetter.shape('Bold').width)
  })

  it('composes a missing character from its parts', () => {
    expect(seen('👩‍🚀🇵🇱')).toBe('👩‍🚀🇵🇱')
  })

  it('names the characters that no font has, and their positions', () => {
    const problem = catchProblem(() => typesetter.shape('a\u{13000}b', {}, 'options.text'))
    expect(problem.reason).toBe('options_invalid')
    expect(problem.message).toBe('options.text: no font has “\u{13000}” (U+13000). Remove or replace these characters.')
    expect(problem.problems).toEqual([{ param: 'options.text', message: problem.message }])
    expect(
      catchProblem(() => typesetter.shape('\u{13000}\u{13001}\u{13002}\u{13003}\u{13004}\u{13005}\u{13006}')).message,
    ).toContain('(U+13004) and 2 more')
    expect(catchProblem(() => typesetter.shape('a\nb')).message).toContain('no font has U+000A')
  })
})

describe('shape: direction', () => {
  it('orders right-to-left text, and text embedded in it', () => {
    expect(seen('abc שלום 42')).toBe('abc 42 םולש')
    expect(seen('שלום abc 42')).toBe('abc 42 םולש')
    expect(typesetter.shape('שלום abc').isRightToLeft).toBe(true)
    expect(typesetter.shape('abc שלום').isRightToLeft).toBe(false)
  })

  it('uses the requested direction of the line', () => {
    expect(seen('abc 42!', { direction: 'rtl' })).toBe('!abc 42')
    expect(seen('שלום!', { direction: 'ltr' })).toBe('םולש!')
  })

  it('makes one cluster of a letter with its marks, marks first', () => {
    const [word] = typesetter.shape('\u05e9\u05c1\u05b8').runs
    expect(word?.clusters.map(cluster => cluster.text)).toEqual(['\u05b8\u05c1\u05e9'])
  })
})

describe('shape: measures', () => {
  it('is independent of size, and adds up', () => {
    const { width, runs, ascent, descent } = typesetter.shape('Page 1 of 10')
    expect(width).toBeCloseTo(
      runs.flatMap(run => run.clusters).reduce((sum, cluster) => sum + cluster.advance, 0),
      6,
    )
    expect(width).toBeGreaterThan(5000)
    expect(ascent).toBeGreaterThan(900)
    expect(descent).toBeLessThan(-200)
    expect(typesetter.shape('').width).toBe(0)
  })

  it('kerns', () => {
    expect(typesetter.shape('AV').width).toBeLessThan(typesetter.shape('A').width + typesetter.shape('V').width - 20)
  })

  it('has digits of equal width on request', () => {
    expect(typesetter.shape('111', { features: ['tnum'] }).width).toBe(
      typesetter.shape('888', { features: ['tnum'] }).width,
    )
    expect(typesetter.shape('111').width).toBeLessThan(typesetter.shape('888').width)
  })

  it('returns the box of the drawn text', () => {
    const ink = measureInk(typesetter.shape('Hg'))
    expect(ink?.bottom).toBeLessThan(-150)
    expect(ink?.top).toBeGreaterThan(700)
    expect(ink?.left).toBeGreaterThan(0)
    expect(measureInk(typesetter.shape(' '))).toBeUndefined()
  })
})

function catchProblem(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (isEngineError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
