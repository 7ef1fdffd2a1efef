import { PDFContext, PDFDict, PDFRef } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { Parser } from '../../../../engines/pdf/syntax/parser'
import { readElementEntries } from '../../../../engines/pdf/tags/element-entries'
import * as Name from '../../../../engines/pdf/syntax/names'

/** Dictionaries whose entries the scan reads without parsing. */
const PLAIN = [
  '<</S/P/P 7 0 R/Pg 9 0 R/K 3/ActualText(Line \\) 3)>>',
  '<< /Type /StructElem /S /Span /P 12 1 R /K [ 1 <</Type/MCR/MCID 4/Pg 3 0 R>> 8 0 R ] >> endobj',
  '<</Type/MCR/MCID 4/Pg 3 0 R>>',
  '<</Type/OBJR/Obj 4 0 R>>',
  '<</S/P/P<</S/X/P 3 0 R>>/T<616e3e>>>',
  '<</S/P/P 7 0 R/P 8 0 R>>',
  '<</S/P/P 7 0 R/P 5>>',
  '<</A[<</O/Layout/S(/P 3 0 R>>)>>[]]/K 1>>',
  '<<>>',
]

/** Everything that the parser must decide. */
const UNUSUAL = [
  '[1 2]',
  '<</S/P/P 0 0 R>>',
  '<</S null/P 7 0 R>>',
  '<</#53/P/P 7 0 R>>',
  '<</S/P/P 7 0 R',
  '<</S/P/P 7 70000 R>>',
  '<</S/P/P 1a 0 R>>',
  '<</S/P/P 7 0 R]>>',
  '<</S/P 5 /P 7 0 R>>',
  '<</S/P/P>>',
  '',
]

describe('reading the entries of a structure element', () => {
  it.each(PLAIN)('agrees with the parser on %s', text => {
    const bytes = Buffer.from(text, 'latin1')
    const parsed = new Parser(bytes, PDFContext.create(), 0).parseAt(0)
    const dict = parsed instanceof PDFDict ? parsed : undefined
    const parent = dict?.get(Name.P)
    expect(readElementEntries(bytes, 0, bytes.length)).toEqual({
      hasType: dict?.has(Name.S),
      hasContent: dict?.has(Name.Obj) === true || dict?.has(Name.MCID),
      parent: parent instanceof PDFRef ? parent.objectNumber : 0,
    })
  })

  it.each(UNUSUAL)('leaves %s to the parser', text => {
    const bytes = Buffer.from(text, 'latin1')
    expect(readElementEntries(bytes, 0, bytes.length)).toBeUndefined()
  })
})
