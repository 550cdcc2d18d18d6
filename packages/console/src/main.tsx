import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './router.tsx'
import { queries } from './service.ts'
import './style.css'
import { LanguageProvider } from './words/language.tsx'

// Who has begun to work may lose the network: by then, all views are here. Their code is a few kilobytes.
const loadViews = () => {
  removeEventListener('pointerdown', loadViews)
  removeEventListener('keydown', loadViews)
  for (const view of Object.values(router.routesById))
    void router.loadRouteChunk(view)?.catch(() => undefined)
}
addEventListener('pointerdown', loadViews)
addEventListener('keydown', loadViews)

const root = document.querySelector('#console')
if (root)
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </StrictMode>,
  )
