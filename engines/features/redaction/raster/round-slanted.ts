import { intersectBoxes } from '../../../pdf/geometry'
import type { Box } from '../../../pdf/geometry'
import type { PlacedWord } from '../../../pdf/rewrite-content'
import type { RedactionArea, PageAreas } from '../areas/areas'
import { WIDTH_STEP_PT } from './line-layout'
import { isNear, slopeOf } from './line-runs'
import { setBox } from '../areas/move-area'

/** Maximum slope of a line that counts as straight, in degrees. */
const SLOPE = 0.6

/**
 * Joins neighboring boxes of areas on sloping lines, and rounds the width and height of the joined boxes up to
 * multiples of the step. A larger box may cover other content. Skips areas in `set`, because they already have their
 * new box.
 */
export function roundSlanted(page: PageAreas, words: readonly PlacedWord[], set: ReadonlySet<RedactionArea>): void {
  const { frame, areas } = page
  const slanted = words.filter(word => Math.abs((((slopeOf(frame, word) % 90) + 90 + 45) % 90) - 45) > SLOPE)
  const slantedAreas = areas.filter(
    area => area.box && !set.has(area) && slanted.some(word => isNear(frame, area, word)),
  )
  const groups: { box: Box; areas: RedactionArea[] }[] = []
  for (const area of slantedAreas) {
    if (!area.box) continue
    const group = { box: area.box, areas: [area] }
    for (let near = findNear(groups, group.box); near; near = findNear(groups, group.box)) {
      groups.splice(groups.indexOf(near), 1)
      group.box = unite(group.box, near.box)
      group.areas.push(...near.areas)
    }
    groups.push(group)
  }
  for (const { box, areas: joined } of groups) {
    const rounded = intersectBoxes(roundUp(box), { x: 0, y: 0, width: frame.width, height: frame.height }) ?? box
    const owner = joined.find(({ replacementText }) => replacementText !== undefined) ?? joined[0]
    for (const area of joined) setBox(frame, area, rounded, area === owner)
  }
}

function findNear(
  groups: readonly { box: Box; areas: RedactionArea[] }[],
  box: Box,
): { box: Box; areas: RedactionArea[] } | undefined {
  const reach = Math.min(box.width, box.height) / 2
  const wide = { x: box.x - reach, y: box.y - reach, width: box.width + 2 * reach, height: box.height + 2 * reach }
  return groups.find(group => intersectBoxes(group.box, wide) !== undefined)
}

function unite(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  const [right, top] = [
    Math.max(one.x + one.width, other.x + other.width),
    Math.max(one.y + one.height, other.y + other.height),
  ]
  return { x, y, width: right - x, height: top - y }
}

function roundUp({ x, y, width, height }: Box): Box {
  const stepped = (length: number): number => Math.max(1, Math.ceil(length / WIDTH_STEP_PT)) * WIDTH_STEP_PT
  const [across, up] = [stepped(width), stepped(height)]
  return { x: x + (width - across) / 2, y: y + (height - up) / 2, width: across, height: up }
}
