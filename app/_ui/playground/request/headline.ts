import { writeSize } from '../../elements/byte-size'
import type { FileOutcome, ResponseFacts } from './response-details'

/** Returns what a run achieved, in a few words. `report` is the parsed file if it is JSON. */
export function describeResult(facts: ResponseFacts, outcome: FileOutcome, report?: unknown): string {
  const headers = new Map(facts.headers)
  const file = describeFile(headers, outcome, report)
  const steps = headers.get('x-pipeline-steps')
  if (steps === undefined) return file
  const verified = headers.has('x-redactions-applied') ? undefined : headers.get('x-redaction-verified')
  const redaction = verified === undefined ? '' : `, redaction ${verified === 'true' ? 'verified' : 'not verified'}`
  return `${count(Number(steps), 'step')} run: ${file}${redaction}`
}

function describeFile(headers: Map<string, string>, { blob, contentType }: FileOutcome, report: unknown): string {
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : undefined)
  const pages = number('x-page-count')
  const removed = number('x-redactions-applied')
  const changes = number('x-changes')
  const bytesBefore = number('x-bytes-before')
  const bytesAfter = number('x-bytes-after')
  const recognized = number('x-ocr-pages')
  if (removed !== undefined)
    return `${count(removed, 'place')} removed, ${headers.get('x-redaction-verified') === 'true' ? 'verified' : 'not verified'}`
  if (changes !== undefined) return describeChanges(changes, report)
  if (bytesBefore !== undefined && bytesAfter !== undefined) return describeSaving(bytesBefore, bytesAfter)
  const verdict = describeVerdict(report)
  if (verdict !== undefined) return verdict
  if (recognized !== undefined) return `Text recognized on ${count(recognized, 'page')}`
  const kind = pages === undefined ? KINDS[contentType] : count(pages, 'page')
  return [kind, writeSize(blob.size)].filter(Boolean).join(', ')
}

const KINDS: Record<string, string> = {
  'application/json': 'JSON',
  'application/zip': 'ZIP file',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
}

function describeSaving(before: number, after: number): string {
  const sizes = `${writeSize(before)} → ${writeSize(after)}`
  const percent = Math.round((after / Math.max(1, before) - 1) * 100)
  return percent === 0 ? `Same size, ${sizes}` : `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %, ${sizes}`
}

function describeChanges(changes: number, report: unknown): string {
  if (changes === 0) return 'No changes'
  const pages = listOf(report, 'pages').filter(page => memberOf(page, 'change') !== 'same').length
  return pages === 0 ? count(changes, 'change') : `${count(changes, 'change')} on ${count(pages, 'page')}`
}

/** The verdict of a validation, which has one report for each standard. */
function describeVerdict(report: unknown): string | undefined {
  const several = listOf(report, 'reports')
  const reports = several.length > 0 ? several : [report]
  if (reports.some(one => memberOf(one, 'conforms') === undefined)) return undefined
  const broken = reports.reduce<number>((sum, one) => sum + listOf(one, 'failures').length, 0)
  if (broken > 0) return `${count(broken, 'rule')} broken`
  return reports.some(one => memberOf(one, 'conforms') === null) ? 'No rule broken, some not decided' : 'No rule broken'
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function listOf(value: unknown, name: string): unknown[] {
  const list = memberOf(value, name)
  return Array.isArray(list) ? list : []
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
