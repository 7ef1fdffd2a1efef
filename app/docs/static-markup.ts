import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react'

/**
 * Returns the HTML of elements and of components without state. React would send each of them twice: as HTML, and as
 * data for its start in the browser. A page of the documentation needs only the HTML.
 */
export function writeStaticMarkup(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return escape(String(node), /[&<>]/g)
  if (Array.isArray(node)) return node.map(child => writeStaticMarkup(child as ReactNode)).join('')
  if (!isValidElement(node)) return '' // Booleans, null and undefined.
  const { type, props } = node as ReactElement<Record<string, unknown>>
  if (type === Fragment) return writeStaticMarkup(props['children'] as ReactNode)
  if (typeof type === 'function') return writeStaticMarkup((type as (given: unknown) => ReactNode)(props))
  return writeElement(type, props)
}

/** Elements without an end tag. */
const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr'])
/** Names of attributes that differ from the names of their properties. */
const NAMES: Readonly<Record<string, string>> = {
  className: 'class',
  tabIndex: 'tabindex',
  strokeWidth: 'stroke-width',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
}
/** Attributes that are present or not. */
const SWITCHES = new Set(['disabled', 'hidden', 'open', 'download'])

function writeElement(
  tag: string,
  { children, dangerouslySetInnerHTML, ...attributes }: Record<string, unknown>,
): string {
  const start = `<${tag}${Object.entries(attributes).map(writeAttribute).join('')}>`
  if (VOID.has(tag)) return `${start.slice(0, -1)}/>`
  const inner = (dangerouslySetInnerHTML as { __html: string } | undefined)?.__html
  return `${start}${inner ?? writeStaticMarkup(children as ReactNode)}</${tag}>`
}

function writeAttribute([name, value]: [string, unknown]): string {
  if (
    (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') ||
    (value === false && SWITCHES.has(name))
  )
    return ''
  const written = Object.hasOwn(NAMES, name) ? NAMES[name] : name
  return value === true && SWITCHES.has(name) ? ` ${written}=""` : ` ${written}="${escape(String(value), /[&<>"]/g)}"`
}

function escape(text: string, characters: RegExp): string {
  return text.replace(characters, character => ENTITIES[character] ?? character)
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
