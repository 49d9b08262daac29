import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { begin } from './session.ts'

// Asked before React renders: the answer travels while the room's code loads.
void begin()

createRoot(document.getElementById('root')!).render(<App />)
