// Draws groups of hosts as cells on a canvas, by writing pixels: 50,000 cells take one pass over an array.

const GAP = 1;
const GROUP_GAP = 14;
const WIDE_GAP = 8;
const TITLE = 20;
const CELL_MAX = 72;
/** Minimum width, in pixels, of a cell with the host's name. */
const NAMED = 56;
const HEIGHT_MIN = 320;
const HEIGHT_SHARE = 0.68;
/** Size of a cell, in pixels, if no size lets all cells fit, so that the user must scroll. */
const CELL_UNFIT = 5;
const CELL_MIN = 2;
const ZOOM_MAX = 16;

/** Returns a readable text color for each color of a ramp. */
function inksOf(ramp) {
  return ramp.map(colour => {
    const [red, green, blue] = [1, 3, 5].map(at => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#0b1216' : '#ffffff';
  });
}
const withInks = ({ light, dark }) => ({ light, dark, inks: { light: inksOf(light), dark: inksOf(dark) } });

/** The color ramp for use: shares from 0 to 1 in equal steps; the last color is for shares above 1. */
export const SHARES = withInks({
  light: ['#dde7ee', '#c3dbe3', '#a5cfd3', '#86c2bb', '#8bbf8d', '#c4c460', '#ecc04a', '#ee9d3d', '#e47535', '#cf4a33', '#b52a37', '#5b0d3a'],
  dark: ['#22323d', '#26424e', '#29545d', '#2c6867', '#3b7c62', '#6d8b46', '#a5953a', '#c98636', '#d96a35', '#dc4c39', '#d83a49', '#ff8ad0'],
});
/** The color ramp for allocation ratios from 0 to the highest one, without colors of warning. */
export const RATIOS = withInks({
  light: ['#e4eaf4', '#d3deef', '#c1d1e9', '#afc4e2', '#9cb6db', '#88a8d3', '#749aca', '#608bc0', '#4c7cb5', '#396da9', '#275d9b', '#174d8c'],
  dark: ['#1d2731', '#20303f', '#23394d', '#26435c', '#294d6b', '#2d577a', '#32628a', '#386d9a', '#4079aa', '#4a86ba', '#5793c9', '#67a1d8'],
});
/** Maximum pixels of a layout that is drawn once and copied when it moves: 32 MB. Larger layouts are drawn in part. */
const WHOLE_MAX = 8_000_000;
const GROUND = { light: '#ffffff', dark: '#11181d' };
export const NONE = 255;
export function stepOf(share) {
  if (Number.isNaN(share)) return NONE;
  return share > 1 ? 11 : Math.min(10, Math.floor(share * 10.999));
}

function packed(css) {
  const value = parseInt(css.slice(1), 16);
  return (0xff000000 | (value & 0xff) << 16 | value & 0xff00 | value >> 16) >>> 0;
}

/** Arranges groups as blocks of cells in rows, or, if isWide, each in the full width below the previous one. */
function layOut(groups, width, height, cell, isWide) {
  const pitch = cell + GAP;
  const blocks = [];
  let x = 0;
  let y = 0;
  let rowHeight = 0;
  for (const group of groups) {
    const widest = Math.max(1, Math.floor((width - 2) / pitch));
    let columns = Math.min(widest, Math.max(Math.ceil(96 / pitch), Math.ceil(Math.sqrt(group.hosts.length * 1.8))));
    columns = isWide || groups.length === 1 ? widest : Math.min(columns, Math.max(1, group.hosts.length, Math.ceil(96 / pitch)));
    const rows = Math.ceil(group.hosts.length / columns);
    const blockWidth = columns * pitch;
    if (x > 0 && x + blockWidth > width) {
      x = 0;
      y += rowHeight + (isWide ? WIDE_GAP : GROUP_GAP);
      rowHeight = 0;
    }
    blocks.push({ group, x, y: y + TITLE, columns, rows, width: blockWidth });
    x += blockWidth + GROUP_GAP;
    rowHeight = Math.max(rowHeight, TITLE + rows * pitch);
  }
  return { blocks, pitch, cell, height: y + rowHeight, fits: y + rowHeight <= height };
}

export class HostMap {
  constructor(canvas, onHover, onOpen) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', { alpha: false });
    this.onHover = onHover;
    this.onOpen = onOpen;
    this.zoom = 1;
    this.left = 0;
    this.top = 0;
    this.selected = -1;
    this.groups = [];
    this.ramp = SHARES;
    this.frames = 0;
    this.paintMs = 0;
    this.listeners = new AbortController();
    const on = (name, action, options) =>
      canvas.addEventListener(name, action, { signal: this.listeners.signal, ...options });
    on('pointerdown', event => this.grab(event));
    on('pointermove', event => this.move(event));
    on('pointerup', event => this.drop(event));
    for (const lost of ['pointercancel', 'lostpointercapture']) on(lost, () => { this.grabbed = null; });
    on('pointerleave', () => this.grabbed || this.onHover(-1, 0, 0));
    on('wheel', event => this.wheel(event), { passive: false });
    on('keydown', event => this.key(event));
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(canvas);
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.scheme.addEventListener('change', () => this.ask(), { signal: this.listeners.signal });
  }

  close() {
    this.listeners.abort();
    this.watch.disconnect();
  }

  /**
   * Draws hosts. Arrays with one element per host have the index of the host in the fleet.
   * @param groups [{title, hosts: Int32Array of indexes}]
   * @param steps index into the ramp per host
   * @param marks per host: 0 none, 1 highlighted, 2 not available for placement
   * @param names per host
   * @param ramp SHARES or RATIOS
   */
  show(groups, steps, marks, names, ramp) {
    // After a refresh the selected host may have another index, or be missing.
    if (this.selected >= 0) this.selected = names.indexOf(this.names[this.selected]);
    // The same names mean another selection of hosts, which resets zoom and position; a refresh keeps both.
    const isAsked = this.names === names;
    this.names = names;
    this.ramp = ramp;
    this.whole = null;
    const same = this.groups.length === groups.length && this.groups.every((old, i) =>
      old.title === groups[i].title && old.hosts.length === groups[i].hosts.length);
    this.groups = groups;
    this.steps = steps;
    this.marks = marks;
    if (same && this.layout) this.layout.blocks.forEach((block, i) => { block.group = groups[i]; });
    else {
      this.fit();
      if (isAsked) this.showAll();
    }
    this.ask();
  }

  showAll() {
    this.zoom = 1;
    this.left = 0;
    this.top = 0;
    this.ask();
  }

  resize() {
    const scale = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    this.canvas.width = Math.round(clientWidth * scale);
    this.canvas.height = Math.round(clientHeight * scale);
    this.image = this.context.createImageData(this.canvas.width, this.canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.fit();
    this.ask();
  }

  /** Chooses the largest size of cells with which all groups fit, or else CELL_UNFIT; sets the canvas no higher than needed. */
  fit() {
    const { clientWidth, parentElement } = this.canvas;
    if (clientWidth === 0) return;
    this.whole = null;
    if (this.groups.length === 0) {
      this.layout = { blocks: [], pitch: 1, cell: 0, height: HEIGHT_MIN };
      return;
    }
    const height = Math.max(HEIGHT_MIN, window.innerHeight * HEIGHT_SHARE);
    let cell = CELL_MAX;
    const attempt = (size, isWide) => {
      this.layout = layOut(this.groups, clientWidth, height - 18, size, isWide);
      return this.layout.fits;
    };
    while (cell >= CELL_MIN && !attempt(cell, false) && !attempt(cell, true)) cell -= 1;
    if (cell < CELL_MIN) {
      attempt(CELL_UNFIT, true);
      const wide = this.layout;
      attempt(CELL_UNFIT, false);
      if (wide.height < this.layout.height) this.layout = wide;
    }
    parentElement.style.height = `${Math.round(Math.min(height, this.layout.height + 24))}px`;
  }

  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      // The canvas has no width after the user left the view.
      if (this.layout && this.pixels && this.canvas.clientWidth > 0) this.paint();
    });
  }

  paint() {
    const began = performance.now();
    const dark = this.scheme.matches;
    const scale = window.devicePixelRatio || 1;
    const { width, height } = this.canvas;
    const factor = this.zoom * scale;
    const world = [Math.ceil(this.canvas.clientWidth * factor), Math.ceil(this.layout.height * factor) + 1];
    if (world[0] * world[1] <= WHOLE_MAX) {
      // Draws the whole layout once, so that moving it only copies pixels.
      if (!this.whole || this.whole.factor !== factor || this.whole.dark !== dark) {
        this.whole = { factor, dark, drawn: new OffscreenCanvas(...world) };
        const context = this.whole.drawn.getContext('2d', { alpha: false });
        const image = context.createImageData(...world);
        this.paintCells(new Uint32Array(image.data.buffer), ...world, 0, 0, factor, dark);
        context.putImageData(image, 0, 0);
      }
      this.context.fillStyle = GROUND[dark ? 'dark' : 'light'];
      this.context.fillRect(0, 0, width, height);
      this.context.drawImage(this.whole.drawn, Math.round(-this.left * factor), Math.round(-this.top * factor));
    } else {
      this.paintCells(this.pixels, width, height, this.left, this.top, factor, dark);
      this.context.putImageData(this.image, 0, 0);
    }
    this.writeOver(dark, scale, factor);
    this.paintMs = performance.now() - began;
    this.frames++;
    this.canvas.dataset.frames = this.frames;
    this.canvas.dataset.paintMs = this.paintMs.toFixed(1);
  }

  /** Draws the part of the layout from (left0, top0) into width × height pixels, scaled by factor. */
  paintCells(pixels, width, height, left0, top0, factor, dark) {
    const colours = Uint32Array.from(dark ? this.ramp.dark : this.ramp.light, packed);
    const ground = packed(GROUND[dark ? 'dark' : 'light']);
    const line = packed(dark ? '#8fa3b0' : '#51636f');
    const faint = packed(dark ? '#1b262e' : '#f1f4f6');
    pixels.fill(ground);
    const { pitch, cell, blocks } = this.layout;
    const size = Math.max(1, Math.round(cell * factor));
    for (const block of blocks) {
      const x0 = (block.x - left0) * factor;
      const y0 = (block.y - top0) * factor;
      const step = pitch * factor;
      const firstRow = Math.max(0, Math.floor(-y0 / step));
      const lastRow = Math.min(block.rows - 1, Math.floor((height - y0) / step));
      const firstColumn = Math.max(0, Math.floor(-x0 / step));
      const lastColumn = Math.min(block.columns - 1, Math.floor((width - x0) / step));
      for (let row = firstRow; row <= lastRow; row++) {
        const top = Math.max(0, Math.round(y0 + row * step));
        const bottom = Math.min(height, Math.round(y0 + row * step) + size);
        for (let column = firstColumn; column <= lastColumn; column++) {
          const at = row * block.columns + column;
          if (at >= block.group.hosts.length) break;
          const host = block.group.hosts[at];
          const left = Math.max(0, Math.round(x0 + column * step));
          const right = Math.min(width, Math.round(x0 + column * step) + size);
          const shade = this.steps[host];
          const mark = this.marks[host];
          const colour = mark === 2 && size <= 2 ? line : shade === NONE ? faint : colours[shade];
          for (let y = top; y < bottom; y++) {
            for (let at = y * width + left, end = y * width + right; at < end; at++) pixels[at] = colour;
          }
          // A host that is not available for placement is an empty frame with a diagonal stroke.
          if (mark === 2 && size > 2) {
            const inner = Math.max(1, Math.round(size / 8));
            for (let y = top + inner; y < bottom - inner; y++) {
              pixels.fill(ground, y * width + left + inner, y * width + Math.max(left + inner, right - inner));
            }
            for (let y = top; y < bottom; y++) {
              const x = left + Math.round((y - top) * (right - left - 1) / Math.max(1, bottom - top - 1));
              if (x < width) pixels[y * width + x] = line;
            }
          } else if (mark === 1 && size > 4) {
            for (let x = left; x < right; x++) pixels[top * width + x] = line;
            for (let x = left; x < right && bottom > top; x++) pixels[(bottom - 1) * width + x] = line;
            for (let y = top; y < bottom; y++) {
              pixels[y * width + left] = line;
              if (right > left) pixels[y * width + right - 1] = line;
            }
          }
        }
      }
    }
  }

  writeOver(dark, scale, factor) {
    const { context } = this;
    context.fillStyle = dark ? '#d5dee4' : '#22313a';
    context.font = `${13 * scale}px system-ui, sans-serif`;
    context.textBaseline = 'alphabetic';
    for (const block of this.layout.blocks) {
      const x = (block.x - this.left) * factor;
      const y = (block.y - this.top) * factor - 6 * scale;
      if (y < 0 || y > this.canvas.height + 20 || x > this.canvas.width) continue;
      context.save();
      context.beginPath();
      context.rect(x, y - 16 * scale, Math.max(block.width * factor, 40), 22 * scale);
      context.clip();
      context.fillText(`${block.group.title}  (${block.group.hosts.length.toLocaleString('en')})`, x, y);
      context.restore();
    }
    if (this.layout.cell * this.zoom >= NAMED) this.writeNames(dark, scale, factor);
    const seat = this.seatOf(this.selected);
    if (seat) {
      const { pitch, cell } = this.layout;
      context.strokeStyle = dark ? '#ffffff' : '#000000';
      context.lineWidth = 2 * scale;
      context.strokeRect(
        (seat.block.x + seat.column * pitch - this.left) * factor - 1, (seat.block.y + seat.row * pitch - this.top) * factor - 1,
        cell * factor + 2, cell * factor + 2);
    }
  }

  writeNames(dark, scale, factor) {
    const { context, layout } = this;
    const { width, height } = this.canvas;
    const size = layout.cell * factor;
    context.font = `${11 * scale}px system-ui, sans-serif`;
    for (const block of layout.blocks) {
      block.group.hosts.forEach((host, at) => {
        const x = (block.x + at % block.columns * layout.pitch - this.left) * factor;
        const y = (block.y + Math.floor(at / block.columns) * layout.pitch - this.top) * factor;
        if (x + size < 0 || y + size < 0 || x > width || y > height) return;
        context.fillStyle = this.marks[host] === 2 || this.steps[host] === NONE ? (dark ? '#d5dee4' : '#22313a') : this.ramp.inks[dark ? 'dark' : 'light'][this.steps[host]];
        const room = size - 10 * scale;
        const name = this.names[host];
        // Text may be compressed to 1/1.3 of its width; longer names are cut.
        const fits = Math.floor(name.length * 1.3 * room / context.measureText(name).width);
        context.fillText(fits < name.length ? `${name.slice(0, fits - 1)}…` : name, x + 5 * scale, y + size / 2 + 4 * scale, room);
      });
    }
  }

  seatOf(host) {
    if (host < 0 || !this.layout) return null;
    for (const block of this.layout.blocks) {
      const at = block.group.hosts.indexOf(host);
      if (at >= 0) return { block, at, row: Math.floor(at / block.columns), column: at % block.columns };
    }
    return null;
  }

  /** Returns the index of the host at a point of the canvas; -1 for none. */
  hostAt(x, y) {
    if (!this.layout) return -1;
    const { pitch, blocks } = this.layout;
    const px = x / this.zoom + this.left;
    const py = y / this.zoom + this.top;
    for (const block of blocks) {
      const column = Math.floor((px - block.x) / pitch);
      const row = Math.floor((py - block.y) / pitch);
      if (column >= 0 && column < block.columns && row >= 0 && row < block.rows) {
        const at = row * block.columns + column;
        return at < block.group.hosts.length ? block.group.hosts[at] : -1;
      }
    }
    return -1;
  }

  grab(event) {
    if (event.button !== 0) return;
    this.grabbed = { x: event.offsetX, y: event.offsetY, left: this.left, top: this.top, moved: false };
    this.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { grabbed } = this;
    if (!grabbed) {
      this.onHover(this.hostAt(event.offsetX, event.offsetY), event.offsetX, event.offsetY);
      return;
    }
    const dx = event.offsetX - grabbed.x;
    const dy = event.offsetY - grabbed.y;
    if (Math.abs(dx) + Math.abs(dy) > 4) grabbed.moved = true;
    if (!grabbed.moved) return;
    this.panTo(grabbed.left - dx / this.zoom, grabbed.top - dy / this.zoom);
    this.onHover(-1, 0, 0);
  }

  drop(event) {
    const { grabbed } = this;
    this.grabbed = null;
    if (!grabbed || grabbed.moved) return;
    const host = this.hostAt(event.offsetX, event.offsetY);
    if (host >= 0) this.onOpen(host);
  }

  panTo(left, top) {
    const { clientWidth, clientHeight } = this.canvas;
    this.left = Math.max(-clientWidth / 2, Math.min(left, clientWidth));
    this.top = Math.max(-clientHeight / 2, Math.min(top, this.layout ? this.layout.height : 0));
    this.ask();
  }

  wheel(event) {
    event.preventDefault();
    this.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY / 400));
  }

  zoomAt(x, y, by) {
    const zoom = Math.max(0.5, Math.min(ZOOM_MAX, this.zoom * by));
    const left = this.left + x / this.zoom - x / zoom;
    const top = this.top + y / this.zoom - y / zoom;
    this.zoom = zoom;
    this.panTo(left, top);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { clientWidth, clientHeight } = this.canvas;
    if (event.key === 'Enter' && this.selected >= 0) this.onOpen(this.selected);
    else if (event.key === '+' || event.key === '=') this.zoomAt(clientWidth / 2, clientHeight / 2, 1.5);
    else if (event.key === '-') this.zoomAt(clientWidth / 2, clientHeight / 2, 1 / 1.5);
    else if (event.key === '0') this.showAll();
    else if (steps[event.key] && this.layout) this.select(...steps[event.key]);
    else return;
    event.preventDefault();
  }

  select(dx, dy) {
    const { blocks, pitch, cell } = this.layout;
    const seat = this.seatOf(this.selected);
    if (!seat) {
      this.selected = blocks.length ? blocks[0].group.hosts[0] : -1;
    } else {
      const { block, at } = seat;
      const next = at + dx + dy * block.columns;
      const other = blocks[blocks.indexOf(block) + (dx + dy > 0 ? 1 : -1)];
      if (next >= 0 && next < block.group.hosts.length) this.selected = block.group.hosts[next];
      else if (other) this.selected = other.group.hosts[dx + dy > 0 ? 0 : other.group.hosts.length - 1];
    }
    const now = this.seatOf(this.selected);
    if (now) {
      const x = (now.block.x + now.column * pitch - this.left) * this.zoom;
      const y = (now.block.y + now.row * pitch - this.top) * this.zoom;
      const { clientWidth, clientHeight } = this.canvas;
      if (x < 0 || y < 0 || x + cell > clientWidth || y + cell > clientHeight) {
        this.panTo(this.left + (x - clientWidth / 2) / this.zoom, this.top + (y - clientHeight / 2) / this.zoom);
      }
      this.onHover(this.selected, x + cell * this.zoom, y + cell * this.zoom);
    }
    this.ask();
  }
}
