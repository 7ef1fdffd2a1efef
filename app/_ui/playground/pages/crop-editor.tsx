'use client'

import { useEffect, useId, useRef, useState } from 'react'
import { withMember } from '../form/field-path'
import type { PageCorners } from '../preview/pdf-messages'
import type { OpenedDocument } from '../preview/pdf-renderer'
import { readSelection } from '../thumbnails/page-selection'
import { type CropPage, readCrop, removeCrop, writeCrop } from './crop-box'
import { EditableBox } from './editable-box'
import type { EditorProps } from './editor-panel'
import { cutToPage, type PageBox, boxStyle } from './page-box'
import { PagePicker } from './page-picker'
import { PageStage } from './page-stage'
import classes from './pages.module.css'
import { Switch } from '../../elements/ticks'
import { Button } from '../../elements/button'

/** The box that the button adds leaves out this share of each side. */
const NEW_MARGIN = 0.1
/** Distance in points by which the service lets a box exceed the page. */
const SLACK_PT = 0.25

/** Crops pages to a box that is drawn, moved and resized on one of them. */
export function CropEditor({ document, options, onChange }: EditorProps) {
  const { pages, auto, clamp } = options
  const selection = readSelection(pages ?? 'all', document.pageCount)
  const [chosenIndex, setChosenIndex] = useState<number | null>(null)
  const pageIndex = Math.min(chosenIndex ?? selection.indexes[0] ?? 0, document.pages.length - 1)
  const [isTouchDrawing, setTouchDrawing] = useState(false)
  const stage = useRef<HTMLDivElement>(null)
  const keysId = useId()
  const corners = useCorners(document, pageIndex, options['origin'] === 'user-space')
  const page: CropPage = { ...(document.pages[pageIndex] ?? { width: 1, height: 1 }), corners }
  const isCropped = selection.indexes.includes(pageIndex)
  const isOnlyPage = isCropped && new Set(selection.indexes).size === 1
  const whole = isCropped ? readCrop(options, page) : undefined
  const box = whole && cutToPage(whole, page)

  function write(next: PageBox) {
    onChange(writeCrop(options, next, page))
  }

  function addBox() {
    write({
      x: page.width * NEW_MARGIN,
      y: page.height * NEW_MARGIN,
      width: page.width * (1 - 2 * NEW_MARGIN),
      height: page.height * (1 - 2 * NEW_MARGIN),
    })
    // Waits until the new box is rendered.
    requestAnimationFrame(() => stage.current?.querySelector<HTMLElement>('[data-testid="box"]')?.focus())
  }

  function chooseThisPage(isOnly: boolean) {
    onChange(withMember(options, 'pages', isOnly ? String(pageIndex + 1) : undefined))
  }

  return (
    <div className={classes.editor}>
      <div className={classes.tools}>
        <Button look="secondary" size="small" disabled={!isCropped || box !== undefined} onClick={addBox}>
          Add box
        </Button>
        {document.pageCount > 1 && (
          <Switch
            label="Only this page"
            checked={isOnlyPage}
            onChange={({ currentTarget }) => chooseThisPage(currentTarget.checked)}
          />
        )}
        <Switch
          className={classes.touchOnly}
          label="Draw with a finger"
          checked={isTouchDrawing}
          onChange={({ currentTarget }) => setTouchDrawing(currentTarget.checked)}
        />
        <PagePicker pageIndex={pageIndex} count={document.pages.length} onChange={setChosenIndex} />
      </div>
      <p id={keysId} className={classes.soft}>
        Drag on the page to draw the box to keep. Arrow keys move the box, and Shift and arrow keys resize it.
      </p>
      <div ref={stage}>
        <PageStage
          document={document}
          pageIndex={pageIndex}
          label={`Page ${pageIndex + 1} with the box to keep`}
          onDraw={isCropped ? write : undefined}
          isTouchDrawing={isTouchDrawing}
        >
          {box && (
            <>
              <div className={classes.shade}>
                <div className={classes.clear} style={boxStyle(box, page)} />
              </div>
              <EditableBox
                box={box}
                label={`Box to keep on page ${pageIndex + 1}`}
                describedBy={keysId}
                className={classes.kept}
                onChange={write}
                onRemove={() => onChange(removeCrop(options))}
              />
            </>
          )}
        </PageStage>
      </div>
      <p role="status" className={classes.soft}>
        {selection.problem ??
          describe({
            pageNumber: pageIndex + 1,
            isCropped,
            isAutomatic: auto === true,
            box,
            exceeds: clamp !== true && exceeds(whole, box),
            isNamed: options['cropBox'] !== undefined || options['margins'] !== undefined,
          })}
      </p>
    </div>
  )
}

interface Facts {
  pageNumber: number
  isCropped: boolean
  isAutomatic: boolean
  box: PageBox | undefined
  exceeds: boolean
  isNamed: boolean
}

function describe({ pageNumber, isCropped, isAutomatic, box, exceeds, isNamed }: Facts): string {
  if (!isCropped) return `Page ${pageNumber} isn’t in pages, so it stays as it is.`
  if (isAutomatic) return 'Sheaf finds the visible content when you run. Draw a box to set it yourself.'
  if (box && exceeds) return 'The box exceeds this page. Make it smaller, or turn on clamp.'
  if (box) return `Sheaf keeps ${Math.round(box.width)} × ${Math.round(box.height)} points of this page.`
  return isNamed ? 'The box isn’t on this page.' : 'No box yet.'
}

function exceeds(whole: PageBox | undefined, box: PageBox | undefined): boolean {
  if (!whole || !box) return false
  return whole.width - box.width > SLACK_PT || whole.height - box.height > SLACK_PT
}

/** Returns where the corners of a page are in PDF coordinates. Undefined until they are known, or if nobody needs them. */
function useCorners(document: OpenedDocument, pageIndex: number, isNeeded: boolean): PageCorners | undefined {
  const [located, setLocated] = useState<{ of: OpenedDocument; pageIndex: number; corners: PageCorners } | null>(null)
  useEffect(() => {
    if (!isNeeded) return
    let isCurrent = true
    document.locateCorners(pageIndex).then(
      corners => {
        if (isCurrent) setLocated({ of: document, pageIndex, corners })
      },
      () => undefined, // The form still works.
    )
    return () => {
      isCurrent = false
    }
  }, [document, pageIndex, isNeeded])
  return located?.of === document && located.pageIndex === pageIndex ? located.corners : undefined
}
