import { Outlet } from '@tanstack/react-router'
import { Protected } from './protected.tsx'

export const PanelShell = () => (
  <Protected>
    <main id="content">
      <Outlet />
    </main>
  </Protected>
)
