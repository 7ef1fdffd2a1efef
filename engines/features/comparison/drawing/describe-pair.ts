import type { PagePair } from '../model'

/** What changed on a page, in a few words. */
export function describePair(pair: PagePair): string {
  const { change, before, after } = pair
  if (change === 'inserted') return 'Inserted page'
  if (change === 'removed') return 'Removed page'
  const facts = listFacts(pair)
  if (change === 'moved') {
    const moved = `Moved from page ${numberOf(before)} to page ${numberOf(after)}`
    return facts.length ? `${moved}: ${facts.join(', ')}` : moved
  }
  if (facts.length === 0) return 'No changes'
  const text = facts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function listFacts({ text, visual, isResized, isTurned, reflow }: PagePair): string[] {
  return [
    ...(text.length ? [count(text.length, 'text change')] : []),
    ...(visual.length ? [count(visual.length, 'visual change')] : []),
    ...(isResized ? ['other page size'] : []),
    ...(isTurned ? ['other rotation'] : []),
    ...(reflow !== 'none' ? ['text moved between pages'] : []),
  ]
}

/** A number with a noun, such as `2 text changes`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** The page number of a page, from 1. */
export function numberOf(page: { index: number } | undefined): number {
  return (page?.index ?? -1) + 1
}
