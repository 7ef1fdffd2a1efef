import * as z from 'zod'
import type { Match } from '../matching/match'

/** Spelled-out signs of email addresses, such as `[at]` and `(dot)`. */
const SPELLED =
  /[ \n]?(?:\[ ?(?:at|@|ät|arroba|chez) ?\]|\( ?(?:at|@|ät|arroba|chez) ?\)|\{ ?(?:at|@) ?\}|< ?at ?>)[ \n]?|[ \n]at[ \n](?=[\p{L}\p{N}.-]{1,63} ?[[({](?:dot|punkt|point|punto|ponto|\.)[\])}])|[ \n]?(?:\[ ?(?:dot|punkt|point|punto|ponto|\.) ?\]|\( ?(?:dot|punkt|point|punto|ponto|\.) ?\)|\{ ?(?:dot|\.) ?\}|< ?dot ?>)[ \n]?/giu

/** An email address. A line may end after its punctuation and around the "@". Every repetition is bounded. */
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_](?:[\p{L}\p{N}_%+'.-]|(?<=[._-])\n){0,63}\n?@\n?[\p{L}\p{N}](?:[\p{L}\p{N}-]|(?<=-)\n){0,62}(?:\n?\.\n?[\p{L}\p{N}](?:[\p{L}\p{N}-]|(?<=-)\n){0,62}){1,8}/gu

/** Ends of domains. A period at a line end after them ends a sentence. */
const COMPLETE =
  /\.(?:com|org|net|edu|gov|mil|int|info|biz|io|dev|app|eu|de|at|ch|fr|es|it|nl|be|lu|uk|ie|pt|pl|se|no|dk|fi|us|ca|au|nz|in|jp|cn|br|mx)$/i

/** Finds email addresses, including addresses with `[at]`, `(at)` and `[dot]`, or with a line end inside. */
export function findEmails(text: string): Match[] {
  const { plain, sources } = readSpelled(text)
  return [...plain.matchAll(EMAIL)].flatMap(({ 0: found, index }) => {
    const part = trimEmail(found)
    const [start, end] = [
      sources ? (sources[index] as number) : index,
      sources ? (sources[index + part.length] as number) : index + part.length,
    ]
    // A space before a spelled-out sign belongs to the sign. A space after the address doesn't belong to the address.
    return /@[^@]*\./.test(part) ? [{ start, end: end - (/[ \n]$/.test(text.slice(start, end)) ? 1 : 0) }] : []
  })
}

/** Removes punctuation and words after the address that belong to the sentence around it. */
function trimEmail(found: string): string {
  let part = found
  for (let at = part.indexOf('\n', part.indexOf('@') + 2); at >= 0; at = part.indexOf('\n', at + 1)) {
    const before = part.slice(0, at).replace(/[.-]+$/, '')
    const behind = part.slice(at + 1)
    const isShort = /\.(?:co|gov|ac)$/i.test(before) && /^\p{Ll}{2}(?![\p{L}\p{N}])/u.test(behind)
    if (
      (COMPLETE.test(before) && !isShort) ||
      (!/^[.\p{Ll}\p{N}]/u.test(behind) && before.lastIndexOf('.') > before.indexOf('@'))
    )
      part = before
  }
  return part.replace(/[.,;:!?\n-]+$/, '')
}

/**
 * Replaces spelled-out signs with the signs. `sources` maps each UTF-16 unit to its offset in the original text. It is
 * undefined if nothing was replaced.
 */
function readSpelled(text: string): { plain: string; sources: Int32Array | undefined } {
  if (!/[[({<]/.test(text)) return { plain: text, sources: undefined }
  const parts: string[] = []
  const sources = new Int32Array(text.length + 1)
  let [at, length] = [0, 0]
  const copy = (to: number): void => {
    parts.push(text.slice(at, to))
    for (; at < to; at++) sources[length++] = at
  }
  for (const { 0: found, index } of text.matchAll(SPELLED)) {
    copy(index)
    parts.push(/dot|punkt|point|punto|ponto|\./i.test(found) ? '.' : '@')
    sources[length++] = index
    at = index + found.length
  }
  copy(text.length)
  sources[length] = text.length
  return { plain: parts.join(''), sources }
}

const URL_START = /(?<![\p{L}\p{N}])(?:(?:https?|ftp):\/\/|www\.)/giu
const URL_SIGN = /[^\s<>"'()[\]{}]/u
const MOST_URL = 100_000
const MOST_IN_PARENTHESES = 100
const MOST_LINES = 40

/** Frequent words, which continue a sentence and not a URL. */
const WORDS = new Set(
  (
    'a an and are as at be but by for from has have he how i if in into is it its more no not of on or our see she ' +
    'so such that the then there these they this to us was we were what when where which who will with you your und ' +
    'oder der die das den dem des ein eine für im ist mit nicht sich sind von wird zu zum zur auf aus bei et ou le ' +
    'la les un une des du en est pour par sur avec dans y o el los las una con para por que e il lo gli per non di ' +
    'da del'
  ).split(' '),
)

/** Finds URLs with a scheme or `www.`, including URLs over several lines. */
export function findUrls(text: string): Match[] {
  const found: Match[] = []
  for (const { 0: head, index } of text.matchAll(URL_START)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    let end = runEnd(text, index + head.length, index)
    for (let line = 1; line < MOST_LINES && text[end] === '\n'; line++) {
      const next = runEnd(text, end + 1, index)
      if (!continuesUrl(text.slice(index, end), text.slice(end + 1, next), text[next] ?? '')) break
      end = next
    }
    // Punctuation at the end of a URL belongs to the sentence.
    const part = text.slice(index, end).replace(/[.,;:!?-]+$/, '')
    if (part.length >= head.length + 2) found.push({ start: index, end: index + part.length })
  }
  return found
}

function runEnd(text: string, from: number, start: number): number {
  let end = from
  let open = -1
  // Parentheses inside a URL come in pairs. Other parentheses belong to the sentence.
  for (; end < text.length && end - start < MOST_URL; end++) {
    const sign = text[end] as string
    if (sign === '(' && open < 0 && end > from) open = end
    else if (sign === ')' && open >= 0) open = -1
    else if (!URL_SIGN.test(sign) || (open >= 0 && end - open > MOST_IN_PARENTHESES)) break
  }
  return open < 0 ? end : open
}

/** Returns whether the first word of a line continues a URL at the end of the previous line. */
function continuesUrl(url: string, next: string, behind: string): boolean {
  if (next === '' || /^(?:https?:|ftp:|www\.)/i.test(next) || next.includes('@')) return false
  const plain = next.replace(/[.,;:!?]+$/, '')
  if (plain === '') return false
  const looksLike =
    /^[/?&=#%.~_-]|[/=&?%#_~]|\d-|-\d|\p{L}-\p{L}|\.(?:html?|php|pdf|aspx?|jsp|xml|json|txt|docx?|png|jpe?g)$/iu.test(
      plain,
    )
  const isHost = /^\p{L}[\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)+$/u.test(plain)
  const isEnding = /^(?:html?|php|pdf|aspx?|jsp|xml|json|txt|docx?|xlsx?|png|jpe?g)(?:[?#]|$)/i.test(plain)
  const hasSlash = url.includes('/')
  if (/[?&=#%_~]$/.test(url)) return true
  if (url.endsWith('-')) return looksLike || /^[\p{Ll}\p{N}]/u.test(plain)
  if (url.endsWith('.')) {
    const isHostOnly = /^(?:\w+:\/\/)?[^/]+$/.test(url)
    const isTopLevel = /^\p{Ll}{2,6}(?:\/|$)/u.test(plain) && !COMPLETE.test(url.slice(0, -1))
    return (isHostOnly && (isHost || isTopLevel)) || (hasSlash && (isEnding || (looksLike && !/^\p{Lu}/u.test(plain))))
  }
  if (url.endsWith('/'))
    return (
      looksLike ||
      isHost ||
      /^\p{L}*\d[\p{L}\d]*$/u.test(plain) ||
      isPathWord(plain, plain !== next || behind === '\n' || behind === '')
    )
  if (/[.,;:!?]$/.test(url)) return false
  // If the URL ends in the middle of a word, the next line must clearly look like a part of a URL.
  return hasSlash ? looksLike && !/^\p{L}+-\p{L}+$/u.test(plain) : /^[./]/.test(plain)
}

/** Returns whether a word may be a part of a path, and isn't a frequent word that continues a sentence. */
function isPathWord(word: string, isAlone: boolean): boolean {
  return /^\p{Ll}/u.test(word) && !WORDS.has(word) && (isAlone || word.length > 3)
}

/** Finds IPv4 addresses: four numbers up to 255. Skips version and section numbers. */
export function findIpv4(text: string): Match[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}]|\.\d)/gu)].flatMap(
    ({ 0: found, index }) => {
      const isVersion =
        /(?:version|release|build|firmware|\bv|ver|section|chapter|§|clause|rev|oid)[ .:\n-]{0,2}$/i.test(
          text.slice(Math.max(0, index - 12), index),
        )
      return !isVersion && found.split('.').every(part => Number(part) <= 255)
        ? [{ start: index, end: index + found.length }]
        : []
    },
  )
}

const ipv6 = z.ipv6()

function isIpv6(text: string): boolean {
  return ipv6.safeParse(text).success
}

/** Finds IPv6 addresses, except for `::`. */
export function findIpv6(text: string): Match[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}:.])[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?![\p{L}\p{N}])/giu)].flatMap(
    ({ 0: found, index }) => {
      if (!found.includes(':')) return []
      const part = isIpv6(found) ? found : found.replace(/:$/, '')
      return isIpv6(part) && part !== '::' ? [{ start: index, end: index + part.length }] : []
    },
  )
}
