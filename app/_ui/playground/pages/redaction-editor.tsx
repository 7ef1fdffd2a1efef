'use client'

import { type SubmitEvent, useId, useRef, useState } from 'react'
import { withMember } from '../form/field-path'
import { isJsonObject, type Json, type JsonObject } from '../form/field-shapes'
import type { TextHit } from '../preview/pdf-messages'
import { type DrawnArea, listDrawnAreas, writeBox } from './drawn-areas'
import { EditableBox } from './editable-box'
import type { EditorProps } from './editor-panel'
import { describeRule, queryOf } from './find-rules'
import { type PageBox, type PageSize, boxStyle } from './page-box'
import { PagePicker } from './page-picker'
import { PageStage } from './page-stage'
import classes from './pages.module.css'
import { useHits } from './use-hits'
import { TextField } from '../../elements/field'
import { Switch } from '../../elements/ticks'
import { Button } from '../../elements/button'

/** Size of a box that is added by button, in points. */
const NEW_BOX = { width: 160, height: 24 }

/** Draws the boxes of `areas` by dragging, and shows where the texts of `search` occur. */
export function RedactionEditor({ document, options, onChange }: EditorProps) {
  const [pageIndex, setPageIndex] = useState(0)
  const [isTouchDrawing, setTouchDrawing] = useState(false)
  const [typedText, setTypedText] = useState('')
  const keysId = useId()
  const boxes = useRef<HTMLDivElement>(null)
  const areas = listDrawnAreas(options['areas'], document.pages)
  const rules = Array.isArray(options['search']) ? options['search'] : []
  const typedRule: JsonObject | null = typedText.trim() === '' ? null : { text: typedText.trim() }
  const hits = useHits(document, typedRule ? [...rules, typedRule] : rules)
  const size = document.pages[pageIndex] ?? { width: 1, height: 1 }

  function setList(name: 'areas' | 'search', list: Json[]) {
    onChange(withMember(options, name, list.length === 0 ? undefined : list))
  }

  function addArea(box: PageBox) {
    const before = Array.isArray(options['areas']) ? options['areas'] : []
    setList('areas', [...before, { page: pageIndex + 1, ...writeBox(box, {}, size) }])
  }

  function addBox() {
    const width = Math.min(NEW_BOX.width, size.width / 2)
    addArea({ ...NEW_BOX, width, x: (size.width - width) / 2, y: (size.height - NEW_BOX.height) / 2 })
    // Waits until the new box is rendered.
    requestAnimationFrame(() =>
      [...(boxes.current?.querySelectorAll<HTMLElement>('[data-testid="box"]') ?? [])].at(-1)?.focus(),
    )
  }

  function addRule(event: SubmitEvent) {
    event.preventDefault()
    if (!typedRule) return
    const firstHit = hits.list.find(({ queryIndex }) => queryIndex === rules.length)
    if (firstHit) setPageIndex(firstHit.pageIndex)
    setList('search', [...rules, typedRule])
    setTypedText('')
  }

  return (
    <div className={classes.editor}>
      <form className={classes.search} onSubmit={addRule}>
        <TextField
          className={classes.grow}
          label="Text to redact"
          placeholder="Name, number or sentence"
          autoComplete="off"
          spellCheck={false}
          value={typedText}
          onChange={({ currentTarget }) => setTypedText(currentTarget.value)}
        />
        <Button type="submit" look="secondary" disabled={typedRule === null}>
          Add text
        </Button>
      </form>
      <p role="status" className={classes.soft}>
        {typedRule && hits.isReady && describeHits(hits.list, rules.length)}
      </p>
      <RuleList
        rules={rules}
        hits={hits.list}
        onRemove={index =>
          setList(
            'search',
            rules.filter((_, at) => at !== index),
          )
        }
      />
      <div className={classes.tools}>
        <Button look="secondary" size="small" onClick={addBox}>
          Add box
        </Button>
        <Switch
          className={classes.touchOnly}
          label="Draw with a finger"
          checked={isTouchDrawing}
          onChange={({ currentTarget }) => setTouchDrawing(currentTarget.checked)}
        />
        <PagePicker pageIndex={pageIndex} count={document.pages.length} onChange={setPageIndex} />
      </div>
      <p id={keysId} className={classes.soft}>
        Drag on the page to draw a box. Arrow keys move a box, Shift and arrow keys resize it, and Delete removes it.
      </p>
      <div ref={boxes}>
        <PageStage
          document={document}
          pageIndex={pageIndex}
          label={`Page ${pageIndex + 1} with its redactions`}
          onDraw={addArea}
          isTouchDrawing={isTouchDrawing}
        >
          <Hits hits={hits.list} pageIndex={pageIndex} size={size} typedIndex={rules.length} />
          <Areas
            areas={areas.filter(area => area.pageIndex === pageIndex)}
            size={size}
            keysId={keysId}
            options={options}
            onChange={list => setList('areas', list)}
          />
        </PageStage>
      </div>
    </div>
  )
}

/** The rules of `search`, with the number of places that the preview found. */
function RuleList({ rules, hits, onRemove }: { rules: Json[]; hits: TextHit[]; onRemove: (index: number) => void }) {
  if (rules.length === 0) return null
  return (
    <ul className={classes.rules} aria-label="Rules">
      {rules.map((rule, index) => (
        <li key={index}>
          <span>
            {describeRule(rule)}{' '}
            <span className={classes.soft}>
              {queryOf(rule) ? describeHits(hits, index) : 'Sheaf finds the places when you run.'}
            </span>
          </span>
          <Button look="quiet" size="small" aria-label={`Remove ${describeRule(rule)}`} onClick={() => onRemove(index)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Hits({
  hits,
  pageIndex,
  size,
  typedIndex,
}: {
  hits: TextHit[]
  pageIndex: number
  size: PageSize
  typedIndex: number
}) {
  return hits
    .filter(hit => hit.pageIndex === pageIndex)
    .flatMap(({ boxes, queryIndex }, index) =>
      boxes.map((box, line) => (
        <div
          key={`${index} ${line}`}
          className={classes.hit}
          data-testid="hit"
          data-typed={queryIndex === typedIndex}
          style={boxStyle(box, size)}
        />
      )),
    )
}

interface AreasProps {
  /** The areas of one page. Their `index` counts all areas in the options. */
  areas: DrawnArea[]
  size: PageSize
  keysId: string
  options: JsonObject
  onChange: (areas: Json[]) => void
}

/** The boxes of one page. A label counts the boxes of the page, and a change replaces the list of all areas. */
function Areas({ areas, size, keysId, options, onChange }: AreasProps) {
  const list = Array.isArray(options['areas']) ? options['areas'] : []
  const replaceArea = (areaIndex: number, box: PageBox) =>
    list.map((area, index) =>
      index === areaIndex && isJsonObject(area) ? { ...area, ...writeBox(box, area, size) } : area,
    )
  return areas.map(({ index: areaIndex, pageIndex, box }, boxIndex) => (
    <EditableBox
      key={areaIndex}
      box={box}
      label={`Box ${boxIndex + 1} on page ${pageIndex + 1}`}
      describedBy={keysId}
      className={classes.area}
      onChange={next => onChange(replaceArea(areaIndex, next))}
      onRemove={() => onChange(list.filter((_, index) => index !== areaIndex))}
    />
  ))
}

/** Says how often and on which pages a text occurs. */
function describeHits(hits: TextHit[], queryIndex: number): string {
  const own = hits.filter(hit => hit.queryIndex === queryIndex)
  const pages = [...new Set(own.map(({ pageIndex }) => pageIndex + 1))]
  if (own.length === 0) return 'Not in the text of the pages. For scans, turn on ocr.'
  const places = own.length === 1 ? '1 place' : `${own.length} places`
  return `${places} on ${pages.length === 1 ? 'page' : 'pages'} ${pages.slice(0, 8).join(', ')}${pages.length > 8 ? ', …' : ''}.`
}
