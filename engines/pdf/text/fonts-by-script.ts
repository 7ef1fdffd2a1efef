import { readFileSync } from 'node:fs'
import { findPackageFile } from '../../installed-package'

type CodePointRange = readonly [first: number, last: number]

/**
 * A TrueType file of a family in an npm package. The installation writes it if the package has WOFF2 files only
 * (`lib/build/fonts.mjs`).
 */
export interface FontFile {
  /** Name of the package and path inside it. */
  specifier: string
  /** Ranges of the code points that the file may have. Undefined if only the file itself shows which it has. */
  ranges?: CodePointRange[]
}

/** A typeface: a single file, or several slices with different code points. */
export class FontFamily {
  private listed: FontFile[] | undefined

  constructor(
    /** The name of the font in a PDF, without spaces. */
    readonly name: string,
    private readonly list: () => FontFile[],
    /** Whether the weight can be chosen. Otherwise, all text is regular. */
    readonly isVariable = true,
  ) {}

  get files(): FontFile[] {
    return (this.listed ??= this.list())
  }
}

/**
 * The font for Latin, Greek, Cyrillic, Vietnamese and characters that all scripts share. It is a single file, so that
 * accents can be positioned on their letters.
 */
export const MAIN = whole('Inter', 'inter-ui/variable/InterVariable.ttf')

/** The italic style of the main family. */
export const MAIN_ITALIC = whole('Inter-Italic', 'inter-ui/variable/InterVariable-Italic.ttf')

/** Families with the widths of Arial, Times New Roman and Courier New. */
export type MetricFamily = 'Arimo' | 'Tinos' | 'Cousine'

/** Returns the family with this style, which has Latin, Greek, Cyrillic and Hebrew letters. */
export function findMetricFont(
  family: MetricFamily,
  { isBold, isItalic }: { isBold: boolean; isItalic: boolean },
): FontFile {
  const style = `${isBold ? '700Bold' : '400Regular'}${isItalic ? '_Italic' : ''}`
  return { specifier: `@expo-google-fonts/${family.toLowerCase()}/${style}/${family}_${style}.ttf` }
}

/** Arimo, which has the design and the widths of Arial and Liberation Sans. */
export const ARIMO = whole('Arimo', '@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf', false)
/** Arimo in bold. */
export const ARIMO_BOLD = whole('Arimo-Bold', '@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf', false)

/** Families by script (ISO 15924). */
export const BY_SCRIPT: ReadonlyMap<string, FontFamily> = new Map(
  Object.entries({
    Arab: 'arabic',
    Armn: 'armenian',
    Beng: 'bengali',
    Deva: 'devanagari',
    Ethi: 'ethiopic',
    Geor: 'georgian',
    Gujr: 'gujarati',
    Guru: 'gurmukhi',
    Hebr: 'hebrew',
    Khmr: 'khmer',
    Knda: 'kannada',
    Laoo: 'lao',
    Mlym: 'malayalam',
    Mymr: 'myanmar',
    Sinh: 'sinhala',
    Taml: 'tamil',
    Telu: 'telugu',
    Thai: 'thai',
  }).map(([script, id]) => [
    script,
    noto(`NotoSans${id.charAt(0).toUpperCase()}${id.slice(1)}`, `@fontsource-variable/noto-sans-${id}`, `${id}-wght`),
  ]),
)

export type Region = 'sc' | 'tc' | 'jp' | 'kr'

/**
 * Families for Chinese (simplified and traditional), Japanese and Korean. The same characters look different in each of
 * them.
 */
export const BY_REGION: Readonly<Record<Region, FontFamily>> = {
  sc: sliced('sc'),
  tc: sliced('tc'),
  jp: sliced('jp'),
  kr: sliced('kr'),
}

/** The files of a region that together have all of its characters. Several files may have the same Latin letter. */
export function listRegionFiles(region: Region): FontFile[] {
  const packageName = `@fontsource-variable/noto-sans-${region}`
  const named = ['latin', 'latin-ext', 'cyrillic', 'vietnamese'].map(part => ({
    specifier: `${packageName}/files/${idOf(packageName)}-${part}-wght-normal.ttf`,
  }))
  return [...named, ...BY_REGION[region].files]
}

/** Emoji as line drawings. */
export const EMOJI = new FontFamily('NotoEmoji', () => listSlices('@fontsource-variable/noto-emoji'))

/** Symbols that belong to no script, in the order in which the families are searched. */
export const SYMBOLS: readonly FontFamily[] = [
  noto('NotoSansSymbols', '@fontsource-variable/noto-sans-symbols', 'symbols-wght'),
  noto('NotoSansSymbols2', '@fontsource/noto-sans-symbols-2', 'symbols-400', false),
  noto('NotoSansMath', '@fontsource/noto-sans-math', 'latin-400', false), // all characters, despite `latin`
]

/** Returns the bytes of a font file. */
export function readFontFile({ specifier }: FontFile): Uint8Array {
  return readFileSync(findPackageFile(specifier))
}

function whole(name: string, specifier: string, isVariable = true): FontFamily {
  return new FontFamily(name, () => [{ specifier }], isVariable)
}

function noto(name: string, packageName: string, part: string, isVariable = true): FontFamily {
  return whole(name, `${packageName}/files/${idOf(packageName)}-${part}-normal.ttf`, isVariable)
}

function sliced(region: Region): FontFamily {
  return new FontFamily(`NotoSans${region.toUpperCase()}`, () => listSlices(`@fontsource-variable/noto-sans-${region}`))
}

/**
 * Returns the numbered slices of a package, with the ranges that the package lists for web pages. Named slices, such as
 * Latin, are omitted, because Inter has their characters.
 */
function listSlices(packageName: string): FontFile[] {
  const stated = JSON.parse(readFileSync(findPackageFile(`${packageName}/unicode.json`), 'utf8')) as Record<
    string,
    string
  > // as the package describes it
  return Object.entries(stated).flatMap(([key, ranges]) => {
    const number = /^\[(\d+)\]$/.exec(key)?.[1]
    return number === undefined
      ? []
      : [
          {
            specifier: `${packageName}/files/${idOf(packageName)}-${number}-wght-normal.ttf`,
            ranges: ranges.split(',').map(readRange),
          },
        ]
  })
}

/** Reads a range such as `U+4E00-4E0F` or `U+5B57`. Each process reads 35,000 of them at its start. */
function readRange(text: string): CodePointRange {
  const dash = text.indexOf('-')
  const first = Number.parseInt(text.slice('U+'.length), 16)
  return [first, dash < 0 ? first : Number.parseInt(text.slice(dash + 1), 16)]
}

function idOf(packageName: string): string {
  return packageName.slice(packageName.indexOf('/') + 1)
}
