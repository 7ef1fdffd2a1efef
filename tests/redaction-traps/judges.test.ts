import { describe, expect, it } from 'vitest'
import { findGlyphProblems, listOutlines } from '../support/redaction-judges/embedded-glyphs'
import { isInViews, readByteViews } from '../support/redaction-judges/byte-views'
import { EMBEDDED_FONTS, makeFontFile, outlinesOf, SUBSETS } from './groups/embedded-fonts'

/** Before redaction, a font that shares its glyphs with another font has glyphs that only the other font shows. */
const ALL_SHOWN = Object.entries(SUBSETS).filter(([, { place }]) => place !== 'second font')

describe('the font judge', () => {
  it.each(ALL_SHOWN)('finds no unused letters in a subset of the shown text: %s', (_, { add, place, isDense }) => {
    const file = makeFontFile(add, {
      secret: 'SECRET',
      way: { isSearched: true, subset: 'secret first' },
      ...(place && { place }),
    })
    expect(findGlyphProblems(file, { isDense: isDense ?? false })).toEqual([])
    expect(outlinesOf('SECRET').every(outline => listOutlines(file).includes(outline))).toBe(true)
  })

  it.each(Object.entries(SUBSETS))('finds the letters of text that is not shown: %s', (_, { add, place, isDense }) => {
    const file = makeFontFile(add, {
      secret: 'SECRET',
      way: { isSearched: true, subset: 'secret first' },
      isShown: false,
      ...(place && { place }),
    })
    const kinds = findGlyphProblems(file, { isDense: isDense ?? false }).map(line => line.replace(/:.*/, ''))
    expect(kinds.length).toBeGreaterThanOrEqual(3)
    expect(kinds.some(kind => /outlines|CharProcs/.test(kind))).toBe(true)
    expect(kinds.some(kind => /Widths|\/W/.test(kind))).toBe(true)
  })

  it('has as many constructions as there are kinds of subsets', () => {
    expect(EMBEDDED_FONTS.constructions.length).toBe(Object.keys(SUBSETS).length)
  })
})

describe('the byte judge', () => {
  const VIEWS: Record<string, string> = {
    'a literal string with octal escapes': String.raw`(\121uimby\
Street)`,
    'a hexadecimal string': '<5175696d6279537472656574>',
    'a name with escapes': '/Q#75imbyStreet',
    'a string in UTF-16': '<feff005100750069006d00620079005300740072006500650074>',
    'a string in UTF-16 with a language': '<feff001b0065006e001b005100750069006d00620079005300740072006500650074>',
    'names of glyphs': '/Differences[1/Q/uni00750069/m/b.alt/u0079/S/t/r/e/e/t]',
    'rich text': '(<p>Qui<b>mby</b>Stre<!-- x -->et</p>)',
    'CDATA and entities': '<a>Qui<![CDATA[mby]]>&#83;tr&#x65;et</a>',
    'a URL with escapes': '(https://example.com/Quimby%53treet)',
    'a script with escapes': String.raw`(x="Quimby\\u0053treet")`,
  }
  it.each(Object.entries(VIEWS))('finds a word in %s', (_, text) => {
    expect(isInViews(readByteViews(Buffer.from(text, 'latin1')), 'QuimbyStreet')).toBe(true)
    expect(isInViews(readByteViews(Buffer.from(text, 'latin1')), 'QuimbyRoad')).toBe(false)
  })
})
