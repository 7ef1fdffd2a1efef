import type { Identifier } from '../model'
import type { XmlNode } from './xml-tree'

/** A decimal number as text: without a plus sign and leading zeros. Other texts stay as they are. */
export function decimal(text: string | undefined): string | undefined {
  const parts = text === undefined ? undefined : /^([+-]?)0*(\d+(?:\.\d+)?|\.\d+)$/.exec(text)
  if (!parts) return text
  const digits = parts[2]?.startsWith('.') ? `0${parts[2]}` : (parts[2] ?? '')
  return parts[1] === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits
}

/** A date as `YYYY-MM-DD`: from `YYYYMMDD`, or from an XML date with a time or zone. Other texts stay as they are. */
export function date(text: string | undefined): string | undefined {
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text ?? '')
  if (compact) return compact.slice(1).join('-')
  return /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0] ?? text
}

/** The identifier in an element, with its scheme. */
export function identifier(node: XmlNode | undefined): Identifier | undefined {
  const id = node?.text()
  return id === undefined ? undefined : { id, scheme: node?.attribute('schemeID') }
}

/** Returns an object, or undefined if all its members are undefined. */
export function ifAny<Value extends object>(value: Value): Value | undefined {
  return Object.values(value).some(member => member !== undefined) ? value : undefined
}
