import { orderRegions } from '../../text/cjk-regions'
import type { Region } from '../../text/fonts-by-script'
import { resolveScripts } from '../../text/scripts'
import type { FontRequest } from '../pdfium/font-mapper'
import { openMetricFont, openRegionFont, openScriptFont } from './system-font'
import type { SystemFont } from './system-font'
import { toPlainName } from './unembedded-fonts'
import type { UnembeddedFont } from './unembedded-fonts'

const FIXED_PITCH = 1
const ROMAN = 16

/** Weight from which the bold style is used. */
const BOLD = 600

/** Character sets of CJK, and of the scripts that Arimo has: Greek, Turkish, Vietnamese, Hebrew, Baltic and so on. */
const REGIONS: Readonly<Record<number, Region>> = { 128: 'jp', 129: 'kr', 130: 'kr', 134: 'sc', 136: 'tc' }
const METRIC_CHARSETS: ReadonlySet<number> = new Set([161, 162, 163, 177, 186, 204, 238])
const SCRIPTS: Readonly<Record<number, string>> = { 178: 'Arab', 222: 'Thai' }

/** Character sets without a script: ANSI and the default. */
const UNSPECIFIC: ReadonlySet<number> = new Set([0, 1])

/** Names by which PDFium asks for its standard fonts, and names of fonts that it takes for them. */
const STANDARD_FACES: readonly (readonly [face: RegExp, names: RegExp])[] = [
  [/^(helvetica|arial)/, /^(helvetica|arial)/],
  [/^times/, /^times/],
  [/^courier/, /^courier/],
]

/** Scripts in fonts with the widths of standard fonts. Shared characters, such as arrows, have no script. */
const METRIC_SCRIPTS: ReadonlySet<string> = new Set(['Latn', 'Grek', 'Cyrl', 'Hebr', 'Zyyy'])

const CJK_SCRIPTS: ReadonlySet<string> = new Set(['Hani', 'Hira', 'Kana', 'Hang', 'Bopo'])

/**
 * Chooses a font for a request of PDFium. `unembedded` are the fonts of the page that may need glyphs beyond Latin.
 * Undefined if PDFium's own font has all glyphs, as far as is known.
 */
export function chooseFont(request: FontRequest, unembedded: readonly UnembeddedFont[]): SystemFont | undefined {
  const { charset } = request
  const region = REGIONS[charset]
  if (region) return openRegionFont(region)
  if (METRIC_CHARSETS.has(charset)) return metricFont(request)
  const script = SCRIPTS[charset]
  if (script !== undefined) return openScriptFont(script)
  if (!UNSPECIFIC.has(charset)) return undefined
  const wide = unembedded.filter(({ characters }) => characters.length > 0)
  const named = wide.filter(({ plainName }) => isNamed(plainName, toPlainName(request.face)))
  const text = named.flatMap(({ characters }) => characters)
  if (text.length > 0) return fontOfText(text, request)
  // PDFium looks for characters in Helvetica if another font lacks them.
  return wide.length > 0 && /^helvetica/i.test(request.face) ? metricFont(request) : undefined
}

function isNamed(name: string, face: string): boolean {
  return name.startsWith(face) || STANDARD_FACES.some(([asked, names]) => asked.test(face) && names.test(name))
}

function metricFont({ weight, isItalic, pitchFamily, face }: FontRequest): SystemFont {
  const family =
    (pitchFamily & FIXED_PITCH) !== 0 || /courier|mono|consol/i.test(face)
      ? 'Cousine'
      : (pitchFamily & ROMAN) !== 0 || /times|serif|georgia|garamond/i.test(face)
        ? 'Tinos'
        : 'Arimo'
  const isSlanted = isItalic || /italic|oblique/i.test(face)
  return openMetricFont(family, { isBold: weight >= BOLD || /bold/i.test(face), isItalic: isSlanted })
}

/** The font of the script that most of the characters have. */
function fontOfText(characters: readonly number[], request: FontRequest): SystemFont {
  const texts = characters.map(character => String.fromCodePoint(character))
  const counts = new Map<string, number>()
  for (const script of texts.flatMap(text => resolveScripts([text]))) counts.set(script, (counts.get(script) ?? 0) + 1)
  const [script = 'Zyyy'] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? []
  if (METRIC_SCRIPTS.has(script)) return metricFont(request)
  const [region = 'sc'] = orderRegions(texts.join(''))
  if (CJK_SCRIPTS.has(script)) return openRegionFont(region)
  return openScriptFont(script) ?? metricFont(request)
}
