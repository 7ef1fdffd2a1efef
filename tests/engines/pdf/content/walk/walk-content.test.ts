import { describe, expect, it } from 'vitest'
import type { PdfDocument } from '../../../../../engines/pdf/document/document'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { ContentWalk, walkContent } from '../../../../../engines/pdf/content/walk/walk-content'
import type { ContentVisitor } from '../../../../../engines/pdf/content/walk/walk-content'
import { makePage } from '../../../../fixtures/images'
import type { PdfWriter } from '../../../../fixtures/pdf-writer'
import { LIMITS } from '../../../../support/run-on'

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'
const PATTERN = '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9'

function open(content: string, resources: (pdf: PdfWriter) => string): PdfDocument {
  return openDocument(makePage(content, resources), LIMITS)
}

/** The streams in the order in which they are read, as `kind: operators`. */
function listStreams(document: PdfDocument, visitor: ContentVisitor = {}): string[] {
  const streams: string[] = []
  walkContent(document, {
    ...visitor,
    end({ stream }) {
      streams.push(`${stream.kind}: ${Buffer.from(stream.bytes).toString('latin1').trim()}`)
    },
  })
  return streams
}

describe('walkContent', () => {
  it('reads everything that content draws, and nothing that only resources list', () => {
    const document = open('/P cs /T scn /G gs /X Do BT /F 9 Tf (a) Tj ET', pdf => {
      const inner = pdf.addStream(FORM, '1 w')
      const glyph = pdf.addStream('', '9 0 d0 2 w')
      return [
        `/XObject<</X ${pdf.addStream(`${FORM}/Resources<</XObject<</Y ${inner} 0 R>>>>`, '/Y Do')} 0 R`,
        `/Unused ${pdf.addStream(FORM, '9 w')} 0 R>>/Pattern<</T ${pdf.addStream(`${PATTERN}/Resources<<>>`, '3 w')} 0 R>>`,
        `/ExtGState<</G<</SMask<</S/Luminosity/G ${pdf.addStream(FORM, '4 w')} 0 R>>>>>>/ColorSpace<</P/Pattern>>`,
        `/Font<</F<</Type/Font/Subtype/Type3/CharProcs<</a ${glyph} 0 R>>>>>>`,
      ].join('')
    })
    expect(listStreams(document)).toEqual([
      'pattern: 3 w',
      'mask: 4 w',
      'form: 1 w',
      'form: /Y Do',
      'glyph: 9 0 d0 2 w',
      'page: /P cs /T scn /G gs /X Do BT /F 9 Tf (a) Tj ET',
    ])
  })

  it('reads a form once for each of its resources, or as often as the visitor says', () => {
    const document = open('/X Do 2 0 0 2 0 0 cm /X Do /X Do', pdf => `/XObject<</X ${pdf.addStream(FORM, 'n')} 0 R>>`)
    const count = (enter: ContentVisitor['enter']): number =>
      listStreams(document, enter && { enter }).filter(line => line.startsWith('form')).length
    expect(count(undefined)).toBe(1)
    expect(count(({ state }) => String(state.matrix))).toBe(2)
    expect(count(() => undefined)).toBe(0)
  })

  it('hands the graphics state on to forms, and returns to it', () => {
    const document = open('q 2 0 0 2 5 5 cm /F 7 Tf 3 Tr /X Do Q n', pdf => {
      const form = pdf.addStream(`${FORM}/Matrix[1 0 0 1 10 0]`, '1 Tr n')
      return `/XObject<</X ${form} 0 R>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>`
    })
    const states: unknown[] = []
    walkContent(document, {
      operator({ reader, state, nesting, font }) {
        if (reader.operator === 'n')
          states.push([state.matrix, state.fontSize, state.renderMode, nesting, font !== undefined])
      },
    })
    expect(states).toEqual([
      [[2, 0, 0, 2, 25, 5], 7, 1, 0, true],
      [[1, 0, 0, 1, 0, 0], 0, 0, 0, false],
    ])
  })

  it('takes names that a form lacks from the page, as PDFium does', () => {
    const document = open('/X Do', pdf => {
      const inner = pdf.addStream(`${FORM}/Resources<<>>`, 'n')
      return `/XObject<</X ${pdf.addStream(`${FORM}/Resources<<>>`, '/Y Do')} 0 R/Y ${inner} 0 R>>`
    })
    expect(listStreams(document)).toEqual(['form: n', 'form: /Y Do', 'page: /X Do'])
  })

  it('refuses content that nests too deep or is too large, but not forms that draw themselves', () => {
    const nested = (depth: number): PdfDocument =>
      open('/X Do', pdf => {
        let form = pdf.addStream(FORM, 'n')
        for (let level = 1; level < depth; level++)
          form = pdf.addStream(`${FORM}/Resources<</XObject<</X ${form} 0 R>>>>`, '/X Do')
        return `/XObject<</X ${form} 0 R>>`
      })
    expect(listStreams(nested(100))).toHaveLength(101)
    expect(() => listStreams(nested(101))).toThrow('nests more than 100 content streams')
    const small = openDocument(
      makePage('/X Do', pdf => `/XObject<</X ${pdf.addStream(FORM, 'n')} 0 R>>`),
      {
        ...LIMITS,
        maxInflateBytes: 2000,
      },
    )
    expect(() => listStreams(small)).toThrow('is more than 2,000 bytes')
    const circle = open('/X Do', pdf => {
      const form = pdf.reserve()
      pdf.set(form, `<<${FORM}/Resources<</XObject<</X ${form} 0 R>>>>/Length 5>>\nstream\n/X Do\nendstream`)
      return `/XObject<</X ${form} 0 R>>`
    })
    expect(listStreams(circle)).toHaveLength(2)
  })

  it('says where content is, and finds property lists in content and resources', () => {
    const document = open('/A <</MCID 7>> BDC /A /N DP EMC', () => '/Properties<</N<</MCID 8>>>>')
    const found: unknown[] = []
    new ContentWalk(document, {
      operator: walk => found.push(document.peekDict(walk.properties)?.toString() ?? walk.location.page),
    }).readPage(document.pages[0] as never)
    expect(found).toEqual(['<<\n/MCID 7\n>>', '<<\n/MCID 8\n>>', 1])
  })
})
