'use client'

import { Button, buttonClass } from './_ui/elements/button'
import { MessageBox } from './_ui/frame/message-box'
import boxes from './_ui/frame/message-box.module.css'

/** Has no header and footer, because every page loads the script of this one. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main id="content" className={boxes.page}>
      <MessageBox title="This page failed to load" isAlert>
        <p>An error occurred on our side. Try again.</p>
        {error.digest !== undefined && (
          <p>
            Reference for the operator: <code>{error.digest}</code>
          </p>
        )}
        <Button look="secondary" size="large" onClick={reset}>
          Try again
        </Button>
        <a href="/" className={buttonClass({ look: 'secondary', size: 'large' })}>
          Start page
        </a>
      </MessageBox>
    </main>
  )
}
