import { PdfWriter } from '../../fixtures/pdf-writer'
import { outlineKey } from '../../support/redaction-judges/outlines'
import { shapeLetter } from '../fonts/letter-shapes'
import { addCidCff, addCidTrueType } from '../fonts/composite-subsets'
import { addSimpleCff, addTrueType, addType1, addType3 } from '../fonts/simple-subsets'
import { NAME } from '../fonts/subset-parts'
import type { AddSubset } from '../fonts/subset-parts'
import type { Construction, RedactionTrap, TrapGroup } from '../trap'

/** The kept text in the font of the secret. */
const KEPT = 'keeps these'

/** The area over the secret. */
const AREA = { page: 1, x: 55, y: 138, width: 220, height: 24 }

/** How the secret and the kept text use the subset, and how the secret is redacted. */
interface Way {
  isSearched: boolean
  /** `both`: one subset for both texts, the secret's letters first or last. `own`: a subset for the secret alone. */
  subset: 'secret first' | 'secret last' | 'own'
}

const WAYS: Way[] = [
  { isSearched: true, subset: 'secret first' },
  { isSearched: true, subset: 'secret last' },
  { isSearched: false, subset: 'secret first' },
  { isSearched: true, subset: 'own' },
]

/** Outlines of the secret's letters that the kept text doesn't show. */
export function outlinesOf(secret: string, kept = KEPT): string[] {
  return [...new Set(secret)]
    .filter(letter => !kept.includes(letter))
    .map(letter => outlineKey(shapeLetter(letter).outline))
}

const line = (name: string, text: string, y: number): string => `BT /${name} 14 Tf 60 ${y} Td ${text} Tj ET`

/**
 * The position of the kept text: on the secret's page, in its form XObject, on another page, or in another font with
 * the same glyphs.
 */
type Place = 'page' | 'form' | 'second page' | 'second font'

interface FontFilePlan {
  secret: string
  way: Way
  place?: Place
  /** Whether the file shows the secret, or only its font has the letters. */
  isShown?: boolean
}

/** A file with a secret and a kept text in an embedded subset, and `BESIDE` in a standard font. */
export function makeFontFile(add: AddSubset, { secret, way, place = 'page', isShown = true }: FontFilePlan): Buffer {
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const standard = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>')
  const isOwn = way.subset === 'own'
  const order = way.subset === 'secret last' ? `${KEPT}${secret}` : isOwn ? secret : `${secret}${KEPT}`
  const font = add(pdf, order)
  const second = place === 'second font' ? addSecondFont(pdf, font.ref) : font.ref
  const resources = `/Font<</F ${standard} 0 R/S ${font.ref} 0 R/T ${second} 0 R>>`
  const shown = isShown ? line('S', font.encode(secret), 145) : ''
  const kept = isOwn ? line('F', `(${KEPT})`, 100) : line('T', font.encode(KEPT), 100)
  const beside = line('F', '(BESIDE)', 200)
  const addPage = (content: string, more = ''): string =>
    `${pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 300 300]/Contents ${pdf.addStream('', content)} 0 R/Resources<<${resources}${more}>>>>`)} ` +
    '0 R'
  const pages: string[] = []
  if (place === 'page' || place === 'second font') pages.push(addPage([shown, kept, beside].join('\n')))
  if (place === 'second page') pages.push(addPage([shown, beside].join('\n')), addPage(kept))
  if (place === 'form') {
    const form = pdf.addStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<<${resources}>>`,
      [shown, kept].join('\n'),
    )
    pages.push(addPage(`/X Do\n${beside}`, `/XObject<</X ${form} 0 R>>`))
  }
  pdf.set(tree, `<</Type/Pages/Count ${pages.length}/Kids[${pages.join(' ')}]>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  return pdf.write({ root })
}

/** A font with another name and with the glyphs and codes of a font. */
function addSecondFont(pdf: PdfWriter, ref: number): number {
  const body = pdf.bodies[ref - 1]
  if (typeof body !== 'string') throw new TypeError('a font must be a dictionary')
  return pdf.add(body.replace(`/BaseFont/${NAME}`, '/BaseFont/BBBBBB+Second'))
}

interface SubsetKind {
  add: AddSubset
  place?: Place
  isDense?: boolean
}

const WIN_ANSI = addTrueType({ codes: 'own', cmap: [3, 1, 0], isNonsymbolic: true })

/** Every kind of embedded subset, by name. */
export const SUBSETS: Record<string, SubsetKind> = {
  'TrueType with WinAnsi codes': { add: WIN_ANSI },
  'TrueType with codes counted by first use': {
    add: addTrueType({ codes: 'counted', cmap: [1, 0, 0] }),
    isDense: true,
  },
  'symbolic TrueType with codes from F000': { add: addTrueType({ codes: 'own', cmap: [3, 0, 0xf000] }) },
  'TrueType with names of glyphs': {
    add: addTrueType({ codes: 'own', cmap: [3, 1, 0], isNonsymbolic: true, hasNames: true }),
  },
  'CID TrueType with codes counted by first use': { add: addCidTrueType({ codes: 'gid' }), isDense: true },
  'CID TrueType with a CIDToGIDMap': { add: addCidTrueType({ codes: 'map' }) },
  'CID TrueType with a CIDSet': { add: addCidTrueType({ codes: 'gid', hasCidSet: true }), isDense: true },
  'CID TrueType with ranges of widths': { add: addCidTrueType({ codes: 'map', hasRanges: true, hasCidSet: true }) },
  'bare CFF with its own encoding': { add: addSimpleCff({ codes: 'own' }) },
  'bare CFF with codes counted by first use': { add: addSimpleCff({ codes: 'counted' }), isDense: true },
  'bare CFF with differences': { add: addSimpleCff({ codes: 'counted', hasDifferences: true }), isDense: true },
  'CID-keyed CFF': { add: addCidCff({}), isDense: true },
  'CFF keyed by names in a CID font': { add: addCidCff({ isKeyedByName: true }), isDense: true },
  'CFF in an OpenType file': { add: addCidCff({ isWrapped: true }), isDense: true },
  'Type 1 with its own encoding': { add: addType1({ codes: 'own' }) },
  'Type 1 with differences': { add: addType1({ codes: 'counted', hasDifferences: true }), isDense: true },
  'Type 3 with names of letters': { add: addType3({ codes: 'own', hasNames: true }) },
  'Type 3 with counted names': { add: addType3({ codes: 'counted' }), isDense: true },
  'TrueType in a form': { add: WIN_ANSI, place: 'form' },
  'CFF in a form': { add: addSimpleCff({ codes: 'own' }), place: 'form' },
  'CID TrueType that a second page shares': { add: addCidTrueType({ codes: 'map' }), place: 'second page' },
  'Type 1 that a second page shares': { add: addType1({ codes: 'own' }), place: 'second page' },
  'TrueType whose program a second font shares': { add: WIN_ANSI, place: 'second font' },
  'Type 1 whose program a second font shares': { add: addType1({ codes: 'own' }), place: 'second font' },
  'Type 3 whose procedures a second font shares': { add: addType3({ codes: 'own' }), place: 'second font' },
}

export const EMBEDDED_FONTS: TrapGroup = {
  name: 'Embedded subset fonts',
  cause: 'Outlines, widths, codes and names of characters that only the removed text used, and their order.',
  constructions: Object.entries(SUBSETS).map(([name, kind]) => makeConstruction(name, kind)),
}

function makeConstruction(name: string, { add, place = 'page', isDense = false }: SubsetKind): Construction {
  return {
    name: `a subset: ${name}`,
    variants: WAYS.length,
    make(secret, variant): RedactionTrap {
      const way = WAYS[variant] ?? { isSearched: true, subset: 'own' }
      return {
        file: makeFontFile(add, { secret, way, place }),
        options: way.isSearched ? { search: [{ text: secret }] } : { areas: [AREA] },
        gone: [secret],
        stays: ['BESIDE', KEPT],
        seenBy: ['pdfium', 'pdfjs', 'glyphs'],
        outlines: outlinesOf(secret),
        isDense,
      }
    },
  }
}
