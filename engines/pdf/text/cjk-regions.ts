import type { Region } from './fonts-by-script'

const HIRAGANA_OR_KATAKANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u
const HAN = /\p{Script=Han}/gu

/**
 * Regions and their character sets, which determine the region of a text without kana and hangul. Simplified Chinese
 * uses the characters of GB 2312, traditional Chinese those of Big5, and so on. Each set comes from the two-byte table
 * of its encoding (WHATWG Encoding).
 */
const CHARACTER_SETS: readonly (readonly [Region, encoding: string, firstBytes: readonly [number, number]])[] = [
  ['sc', 'gbk', [0xb0, 0xf7]],
  ['tc', 'big5', [0xa4, 0xf9]],
  ['jp', 'euc-jp', [0xb0, 0xf4]],
  ['kr', 'euc-kr', [0xca, 0xfd]],
]

const read = new Map<Region, ReadonlySet<string>>()

/**
 * Returns the regions in the order in which their fonts are searched for the Chinese characters of a text. `language`
 * (BCP 47) has priority over the characters of the text.
 */
export function orderRegions(text: string, language?: string): Region[] {
  const first = regionOfLanguage(language) ?? regionOfText(text)
  return [first, ...(['sc', 'tc', 'jp', 'kr'] as const).filter(region => region !== first)]
}

function regionOfLanguage(language: string | undefined): Region | undefined {
  if (!language) return undefined
  if (/^ja\b/i.test(language)) return 'jp'
  if (/^ko\b/i.test(language)) return 'kr'
  if (/^zh\b.*\b(hant|tw|hk|mo)\b/i.test(language)) return 'tc'
  return /^zh\b/i.test(language) ? 'sc' : undefined
}

function regionOfText(text: string): Region {
  if (HIRAGANA_OR_KATAKANA.test(text)) return 'jp'
  if (HANGUL.test(text)) return 'kr'
  const characters = text.match(HAN) ?? []
  return CHARACTER_SETS.find(entry => characters.every(character => charactersOf(entry).has(character)))?.[0] ?? 'sc'
}

function charactersOf([region, encoding, [first, last]]: (typeof CHARACTER_SETS)[number]): ReadonlySet<string> {
  const known = read.get(region)
  if (known) return known
  // Trail bytes from 0xA1 to 0xFE hold the characters of the regional standard. Big5 also uses trail bytes from 0x40 to
  // 0x7E.
  const trails = Array.from({ length: 94 }, (_, index) => 0xa1 + index)
  if (region === 'tc') trails.push(...Array.from({ length: 63 }, (_, index) => 0x40 + index))
  const bytes: number[] = []
  for (let lead = first; lead <= last; lead++) for (const trail of trails) bytes.push(lead, trail)
  const set = new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)))
  read.set(region, set)
  return set
}
