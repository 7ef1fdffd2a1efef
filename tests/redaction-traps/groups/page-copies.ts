import type { PdfWriter } from '../../fixtures/pdf-writer'
import type { Parts } from '../../fixtures/traps'
import { BY_AREA, escapedName, fromDrafts, shownText, wide } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'
import { RECT } from './object-drafts'

/** A page with the secret under an area, and with other parts that repeat it. */
const besides =
  (parts: (secret: string) => Parts, more: Partial<Draft> = {}) =>
  (secret: string): Draft => ({
    ...BY_AREA,
    parts: { content: shownText(secret), ...parts(secret) },
    ...more,
  })

const onPage = (make: (secret: string, pdf: PdfWriter) => string) =>
  besides(secret => ({ page: pdf => make(secret, pdf) }))

/** An annotation elsewhere on the page. */
const elsewhere = (make: (secret: string, pdf: PdfWriter) => string, more: Partial<Draft> = {}) =>
  besides(
    secret => ({
      page: (pdf, page) => `/Annots[${pdf.add(`<</Type/Annot/Rect${RECT}/P ${page} 0 R${make(secret, pdf)}>>`)} 0 R]`,
    }),
    more,
  )

/** A tagged page whose structure has these entries: of the element, of its parent and of the root. */
const tagged = (make: (secret: string) => { part?: string; parent?: string; root?: string; other?: string }) =>
  besides(
    secret => ({
      content: `/P<</MCID 0>> BDC ${shownText(secret)} EMC /P<</MCID 1>> BDC ${shownText('KEPT', '60 90 Td')} EMC`,
      page: () => '/StructParents 0',
      catalog: (pdf, page) => {
        const [tree, above, part, other] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()]
        const { part: own = '/S/P', parent = '/S/Sect', root = '', other: more = '/S/P' } = make(secret)
        pdf.set(part, `<</Type/StructElem/P ${above} 0 R/Pg ${page} 0 R/K[0 1]${own}>>`)
        pdf.set(other, `<</Type/StructElem/P ${above} 0 R/K[]${more}>>`)
        pdf.set(above, `<</Type/StructElem/P ${tree} 0 R/K[${part} 0 R ${other} 0 R]${parent}>>`)
        pdf.set(
          tree,
          `<</Type/StructTreeRoot/K[${above} 0 R]/ParentTree<</Nums[0[${part} 0 R ${part} 0 R]]>>` +
            `${root.replaceAll('PART', `${part} 0 R`)}>>`,
        )
        return `/StructTreeRoot ${tree} 0 R/MarkInfo<</Marked true>>`
      },
    }),
    { stays: ['BESIDE', 'KEPT'] },
  )

export const PAGE_COPIES: TrapGroup = {
  name: 'Copies of text under areas',
  cause: 'Actions, identifiers, attributes and names of a page that repeat a text which only an area removes.',
  constructions: [
    fromDrafts('copies: actions of the page', [
      onPage(secret => `/AA<</O<</S/JavaScript/JS(app.alert\\("${secret}"\\))>>>>`),
      onPage((secret, pdf) => `/AA<</C<</S/JavaScript/JS ${pdf.addStream('', `x = "${secret}"`)} 0 R>>>>`),
      onPage(secret => `/AA<</O<</S/URI/URI(https://example.com/${secret})>>>>`),
      onPage(secret => `/PresSteps<</Type/NavNode/NA<</S/JavaScript/JS(// ${secret})>>>>`),
    ]),
    fromDrafts('copies: actions of annotations', [
      elsewhere(secret => `/Subtype/Link/A<</S/URI/URI(https://example.com/${secret.toLowerCase()}/x)>>`),
      elsewhere(
        (secret, pdf) => `/Subtype/Link/A ${pdf.add(`<</S/Launch/F<</Type/Filespec/F(${secret}.doc)>>>>`)} 0 R`,
      ),
      elsewhere(
        (secret, pdf) =>
          `/Subtype/Link/A<</S/Named/N/NextPage/Next ${pdf.add(`<</S/JavaScript/JS(x = '${secret}')>>`)} 0 R>>`,
      ),
      elsewhere(secret => `/Subtype/Text/Contents(KEPTNOTE)/NM(note-${secret})`, { stays: ['BESIDE', 'KEPTNOTE'] }),
      elsewhere(secret => `/Subtype/Screen/AA<</PV<</S/JavaScript/JS${wide(`y("${secret}")`)}>>>>`),
    ]),
    fromDrafts('copies: actions of fields', [
      secret => {
        let field = 0
        const make = (pdf: PdfWriter, page: number): string => {
          field = pdf.add(
            `<</Type/Annot/Subtype/Widget/FT/Tx/T(f)/V(KEPTVALUE)/Rect${RECT}/DA(/F 9 Tf)/P ${page} 0 ` +
              `R/AA<</C<</S/JavaScript/JS(event.value = "${secret}")>>>>>>`,
          )
          return `/Annots[${field} 0 R]`
        }
        return {
          ...BY_AREA,
          parts: { content: shownText(secret), page: make, catalog: () => `/AcroForm<</Fields[${field} 0 R]>>` },
          stays: ['BESIDE', 'KEPTVALUE'],
        }
      },
      secret => {
        const refs: number[] = []
        const make = (pdf: PdfWriter, page: number): string => {
          const [parent, kid] = [pdf.reserve(), pdf.reserve()]
          pdf.set(
            parent,
            `<</FT/Tx/T(f)/V(KEPTVALUE)/Kids[${kid} 0 R]/AA<</K<</S/JavaScript/JS(// ${secret})>>>>/DA(/F 9 Tf)>>`,
          )
          pdf.set(kid, `<</Type/Annot/Subtype/Widget/Parent ${parent} 0 R/Rect${RECT}/P ${page} 0 R>>`)
          refs.push(parent)
          return `/Annots[${kid} 0 R]`
        }
        return {
          ...BY_AREA,
          parts: { content: shownText(secret), page: make, catalog: () => `/AcroForm<</Fields[${refs[0]} 0 R]>>` },
          stays: ['BESIDE', 'KEPTVALUE'],
        }
      },
    ]),
    fromDrafts('copies: other entries of the page', [
      onPage(secret => `/ID(${secret})`),
      onPage(secret => `/VP[<</Type/Viewport/BBox[0 0 9 9]/Name(map of ${secret})>>]`),
      onPage(
        secret => `/VP[<</Type/Viewport/BBox[0 0 9 9]/Measure<</Type/Measure/Subtype/RL/R(${secret})/X[]/D[]/A[]>>>>]`,
      ),
    ]),
    fromDrafts('copies: identifiers of structure elements', [
      tagged(secret => ({ part: `/S/P/T(${secret})/ID(h-${secret})`, root: `/IDTree<</Names[(h-${secret})PART]>>` })),
      tagged(secret => ({ parent: `/S/Sect/T(${secret})/ID(${secret})` })),
      tagged(secret => ({ part: `/S/P/ID(x)/A<</O/Table/Headers[(${secret})]>>`, other: `/S/TH/ID(${secret})` })),
      tagged(secret => ({
        part: `/S/P/ID${wide(secret)}`,
        root: `/IDTree<</Kids[<</Limits[${wide(secret)}${wide(secret)}]/Names[${wide(secret)}PART]>>]>>`,
      })),
    ]),
    fromDrafts('copies: attributes and names of the structure', [
      tagged(secret => ({ part: `/S/P/A<</O/UserProperties/P[<</N(x)/V(${secret})/F(${secret})>>]>>` })),
      tagged(secret => ({
        part: `/S/P/A<</O/NSO/NS<</Type/Namespace/NS(https://${secret}.example)>>/note(${secret})>>`,
      })),
      tagged(secret => ({
        part: `/S/P/C/Style`,
        root: `/ClassMap<</Style<</O/UserProperties/P[<</N(${secret})/V(${secret})>>]>>>>`,
      })),
      tagged(secret => ({ part: `/S/${secret}`, root: `/RoleMap<</${secret}/P>>` })),
      tagged(secret => ({
        part: `/S/P/C${escapedName(secret)}`,
        root: `/ClassMap<<${escapedName(secret)}<</O/Layout/Placement/Block>>>>`,
      })),
      tagged(secret => ({ part: `/S/P/Lang(x-${secret})`, parent: `/S/Sect/Lang(en-${secret})` })),
    ]),
    fromDrafts('copies: pages of a rule', [
      secret => ({
        options: { search: [{ text: secret, pages: [1] }] },
        parts: {
          content: shownText(secret),
          page: (pdf, page) =>
            `/ID(${secret})/Annots[${pdf.add(`<</Type/Annot/Subtype/Link/Rect${RECT}/P ${page} 0 R/A ${pdf.add(`<</S/URI/URI(https://example.com/${secret})>>`)} 0 R>>`)} 0 R]`,
        },
      }),
    ]),
  ],
}
