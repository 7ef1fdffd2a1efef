'use client'

import { useEffect, useState } from 'react'
import type { Json, JsonObject } from '../form/field-shapes'
import type { PageArea } from '../preview/pdf-messages'
import type { OpenedDocument } from '../preview/pdf-renderer'
import { useDocument } from '../preview/use-document'
import { listDrawnAreas } from './drawn-areas'
import { boxStyle } from './page-box'
import { PagePicker } from './page-picker'
import { PageStage } from './page-stage'
import classes from './pages.module.css'
import { queryOf } from './find-rules'
import { findRemoved } from './removed-words'
import { useHits } from './use-hits'

/** Maximum number of places in the list. */
const MOST_PLACES = 500

interface Props {
  input: File
  output: Blob
  /** The options of the request that returned `output`. */
  options: JsonObject
}

/** Both versions of a redacted document, and what their text layers contain in the redacted places. */
export function RedactionProof({ input, output, options }: Props) {
  const before = useDocument(input)
  const after = useDocument(output)
  if (before.state !== 'open' || after.state !== 'open') return null
  return <OpenProof before={before.document} after={after.document} options={options} />
}

interface Place {
  boxes: PageArea[]
  /** Text in the place, before and after. Undefined until it is read. */
  texts?: [before: string, after: string]
}

function OpenProof({ before, after, options }: { before: OpenedDocument; after: OpenedDocument; options: JsonObject }) {
  const [pageIndex, setPageIndex] = useState<number | null>(null)
  const places = usePlaces(before, after, options)
  const removed = useRemoved(before, after, options)
  const rows = listRows(places, removed)
  const shownIndex = Math.min(pageIndex ?? places[0]?.boxes[0]?.pageIndex ?? 0, after.pages.length - 1)
  const boxes = places.flatMap(place => place.boxes).filter(box => box.pageIndex === shownIndex)
  const size = before.pages[shownIndex] ?? { width: 1, height: 1 }
  return (
    <section className={classes.editor} aria-label="Before and after" data-testid="proof">
      <PagePicker pageIndex={shownIndex} count={after.pages.length} onChange={setPageIndex} />
      <div className={classes.versions}>
        {[before, after].map((document, index) => (
          <PageStage
            key={index}
            document={document}
            pageIndex={shownIndex}
            label={`Page ${shownIndex + 1} ${index === 0 ? 'before' : 'after'} the redaction`}
          >
            {boxes.map(({ box }, at) => (
              <div key={at} className={classes.mark} style={boxStyle(box, size)} />
            ))}
          </PageStage>
        ))}
      </div>
      {rows.length > 0 && <TextTable rows={rows} />}
      <p className={classes.soft}>
        Your browser reads the text layer of both files under your boxes and where it found your texts. Response headers
        say what Sheaf checked.
      </p>
    </section>
  )
}

/** A place in the list, with its texts before and after. */
interface Row {
  pageIndex: number
  texts: [before: string | undefined, after: string | undefined]
}

/** The drawn and found places, then further text that is missing in the output. */
function listRows(places: Place[], removed: Removed[]): Row[] {
  const known = places.map(({ boxes, texts }): Row => ({
    pageIndex: boxes[0]?.pageIndex ?? 0,
    texts: [texts?.[0], texts?.[1]],
  }))
  const further = removed.flatMap(({ pageIndex, pieces }) =>
    pieces.filter(piece => known.every(({ texts }) => texts[0] !== piece)).map(piece => ({ pageIndex, piece })),
  )
  return [...known, ...further.map(({ pageIndex, piece }): Row => ({ pageIndex, texts: [piece, ''] }))]
}

function TextTable({ rows }: { rows: Row[] }) {
  return (
    <table className={classes.texts}>
      <thead>
        <tr>
          <th scope="col">Page</th>
          <th scope="col">Text before</th>
          <th scope="col">Text after</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MOST_PLACES).map(({ pageIndex, texts: [before, after] }, index) => (
          <tr key={index}>
            <td>{pageIndex + 1}</td>
            <td>{before === '' ? <span className={classes.soft}>No text</span> : before}</td>
            <td>{after === '' ? <span className={classes.gone}>No text</span> : after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns the drawn boxes and the found texts, with what both text layers contain there. */
function usePlaces(before: OpenedDocument, after: OpenedDocument, options: JsonObject): Place[] {
  const rules: Json[] = Array.isArray(options['search']) ? options['search'] : []
  const hits = useHits(before, rules)
  const drawn = listDrawnAreas(options['areas'], before.pages).map(({ pageIndex, box }) => [{ pageIndex, box }])
  const found = hits.isReady ? hits.list.map(({ pageIndex, boxes }) => boxes.map(box => ({ pageIndex, box }))) : []
  const wanted = JSON.stringify([...drawn, ...found].slice(0, MOST_PLACES))
  const [read, setRead] = useState<{ of: string; places: Place[] }>({ of: '', places: [] })
  useEffect(() => {
    let isCurrent = true
    async function readBoth() {
      const all = JSON.parse(wanted) as PageArea[][]
      const versions = await Promise.all([before, after].map(document => readAll(document, all)))
      const places = all.map((boxes, at): Place => ({
        boxes,
        texts: [versions[0]?.[at] ?? '', versions[1]?.[at] ?? ''],
      }))
      if (isCurrent) setRead({ of: wanted, places })
    }
    readBoth().catch(() => undefined) // The file is there without this list.
    return () => {
      isCurrent = false
    }
  }, [before, after, wanted])
  return read.of === wanted ? read.places : []
}

interface Removed {
  pageIndex: number
  pieces: string[]
}

/** Maximum number of pages whose whole text is compared. */
const MOST_COMPARED = 100

/** Returns what is missing on each page, if there are rules that the browser can't search. */
function useRemoved(before: OpenedDocument, after: OpenedDocument, options: JsonObject): Removed[] {
  const rules: Json[] = Array.isArray(options['search']) ? options['search'] : []
  const isNeeded = rules.some(rule => queryOf(rule) === undefined)
  const [removed, setRemoved] = useState<Removed[]>([])
  useEffect(() => {
    let isCurrent = true
    async function compare() {
      const pages = isNeeded ? before.pages.slice(0, MOST_COMPARED) : []
      const areas = pages.map(({ width, height }, pageIndex) => ({ pageIndex, box: { x: 0, y: 0, width, height } }))
      const [old = [], current = []] = await Promise.all([before, after].map(document => document.read(areas)))
      const found = old.map((text, pageIndex) => ({ pageIndex, pieces: findRemoved(text, current[pageIndex] ?? '') }))
      if (isCurrent) setRemoved(found.filter(({ pieces }) => pieces.length > 0))
    }
    compare().catch(() => undefined) // The file is there without this list.
    return () => {
      isCurrent = false
    }
  }, [before, after, isNeeded])
  return removed
}

/** Reads the text of each place. The boxes of a place, such as the lines of a name, are read as one text. */
async function readAll(document: OpenedDocument, places: PageArea[][]): Promise<string[]> {
  const texts = await document.read(places.flat())
  let at = 0
  return places.map(boxes => {
    const own = texts.slice(at, at + boxes.length)
    at += boxes.length
    return own.join(' ').trim()
  })
}
