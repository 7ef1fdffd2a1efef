import type { ApiResponse } from './client'

/** What the head of a page tells search engines and sites that show its link. */
export interface PageHead {
  title: string
  /** `content` of the meta elements by `name` or `property`. */
  meta: Map<string, string>
  /** `href` of the link elements by `rel`. */
  links: Map<string, string>
}

/** Reads the head of a page. Elements in the body don't count, because not every reader runs scripts. */
export function readHead({ bytes }: Pick<ApiResponse, 'bytes'>): PageHead {
  const head = /<head>(.*?)<\/head>/s.exec(bytes.toString('utf8'))?.[1] ?? ''
  const meta = new Map<string, string>()
  const links = new Map<string, string>()
  for (const [element, name] of head.matchAll(/<(meta|link) [^>]*>/g)) {
    const key = readAttribute(element, name === 'link' ? 'rel' : '(?:name|property)')
    if (key !== undefined)
      (name === 'link' ? links : meta).set(key, readAttribute(element, name === 'link' ? 'href' : 'content') ?? '')
  }
  return { title: decode(/<title>(.*?)<\/title>/s.exec(head)?.[1] ?? ''), meta, links }
}

/** The text of a page without scripts and styles. */
export function readText({ bytes }: Pick<ApiResponse, 'bytes'>): string {
  const html = bytes.toString('utf8').replaceAll(/<(script|style|svg|head)\b.*?<\/\1>/gs, ' ')
  return decode(html.replaceAll(/<!--.*?-->/gs, '').replaceAll(/<[^>]+>/g, ' ')).replaceAll(/\s+/g, ' ')
}

function readAttribute(element: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1]
  return value === undefined ? undefined : decode(value)
}

function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
