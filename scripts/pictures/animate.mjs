// Makes one moving picture of many still ones.
import gifenc from 'gifenc';
import { PNG } from 'pngjs';

const { GIFEncoder, applyPalette, quantize } = gifenc;

/** One of the 256 colours of a GIF is for what did not change. */
const MOST_COLOURS = 255;

/** The bytes of a GIF that repeats for ever. `frames` have a PNG file's bytes and how long it is shown, all of one size. */
export function animate(frames) {
  const pictures = frames.map(({ png, ms }) => ({ ...PNG.sync.read(png), ms }));
  const colours = quantize(Buffer.concat(pictures.map(({ data }) => data)), MOST_COLOURS);
  const palette = [...colours, [0, 0, 0]];
  const gif = GIFEncoder();
  pictures.forEach(({ data, width, height, ms }, index) => {
    const pixels = applyPalette(data, colours);
    const before = pictures[index - 1]?.data;
    if (before !== undefined) blankUnchanged(pixels, { data, before, blank: colours.length });
    gif.writeFrame(pixels, width, height, {
      palette,
      delay: ms,
      transparent: before !== undefined,
      transparentIndex: colours.length,
      dispose: 1,
    });
  });
  gif.finish();
  return gif.bytes();
}

/** Makes unchanged pixels transparent: they take almost no bytes then. */
function blankUnchanged(pixels, { data, before, blank }) {
  const now = new Uint32Array(data.buffer, data.byteOffset, pixels.length);
  const then = new Uint32Array(before.buffer, before.byteOffset, pixels.length);
  for (let i = 0; i < pixels.length; i += 1) if (now[i] === then[i]) pixels[i] = blank;
}
