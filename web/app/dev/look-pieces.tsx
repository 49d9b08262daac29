import { useState } from 'react'
import { brandVariables, ownBrand } from '../panel/brand/tokens.ts'
import { chooseTheme, chosenTheme, themes, type Theme } from '../theme.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Choice } from '../ui/choice.tsx'
import { ColourField } from '../ui/colour-field.tsx'
import { Logo, LogoMark } from '../ui/logo.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { Grid, Part, Row } from './part.tsx'

export const Look = () => {
  const [theme, setTheme] = useState(chosenTheme)
  const [brand, setBrand] = useState(ownBrand)
  const paint = (changed: typeof brand) => {
    setBrand(changed)
    const { style } = document.documentElement
    for (const name of Array.from(style)) if (name.startsWith('--brand-')) style.removeProperty(name)
    for (const [name, value] of Object.entries(brandVariables(changed))) style.setProperty(name, value)
  }
  return (
    <Part title="Theme and brand">
      <Choice<Theme>
        label="Theme"
        options={themes.map((key) => ({ key, label: key }))}
        value={theme}
        onChange={(chosen) => {
          chooseTheme(chosen)
          setTheme(chosen)
        }}
      />
      <Grid>
        <ColourField
          label="First colour"
          value={brand.primary}
          start={ownBrand.primary}
          onChange={(primary) => paint({ ...brand, primary })}
          hint="Moved until it reads: 3:1 as a shape, 4.5:1 as a text."
        />
        <ColourField
          label="Second colour"
          value={brand.secondary}
          start={ownBrand.secondary}
          onChange={(secondary) => paint({ ...brand, secondary })}
        />
      </Grid>
    </Part>
  )
}

export const Colours = () => (
  <Part title="Colours, letters, ruler">
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4 lg:grid-cols-6">
      {swatches.map((look) => (
        <li key={look} className={`rounded-control border border-line p-3 text-xs ${look}`}>
          {look.split(' ')[0]!.slice(3)}
        </li>
      ))}
    </ul>
    <p className="font-display text-4xl font-bold">Funnel Display says it large</p>
    <p>
      Geist says the rest. 0123456789, in columns: <span className="figures">111.00</span>
    </p>
    <p className="font-mono">Geist Mono is for codes: HARBOR-DEMO</p>
    <div className="ruler h-3" />
  </Part>
)

export const Fonts = () => (
  <Part title="Faces and codes">
    <Row>
      <Logo />
      <LogoMark className="size-12" />
      <Avatar name="Riley Park" />
      <Avatar name="Riley Park" photoUrl="/icons/icon-192.png" />
      <Avatar name="Riley Park" className="size-12 text-xl" />
      <QrCode text="https://clear.example/login" label="A QR code" className="size-28" />
    </Row>
  </Part>
)

const swatches = [
  'bg-canvas text-ink',
  'bg-surface text-ink',
  'bg-sunken text-ink',
  'bg-surface text-muted',
  'bg-primary text-on-primary',
  'bg-primary-tint text-primary-text',
  'bg-surface text-coral-text',
  'bg-good-tint text-good',
  'bg-warn-tint text-warn',
  'bg-danger-tint text-danger',
  'bg-night text-on-night',
  'bg-ink text-surface',
]
