import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const LOCAL_HEADER_LENGTH = 30;

/** The files of a zip archive by name: as much of the format as packages of extensions have. */
export function readZip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = archive.lastIndexOf(Buffer.from(Uint32Array.of(END_OF_DIRECTORY).buffer));
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      archive.readUInt16LE(at + field),
    );
    const name = archive.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    files.set(name, readEntry(archive, at));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}

/** Returns the unpacked file of the directory entry at this place. */
function readEntry(archive: Buffer, at: number): Buffer {
  const isDeflated = archive.readUInt16LE(at + 10) === 8;
  const packedLength = archive.readUInt32LE(at + 20);
  const local = archive.readUInt32LE(at + 42);
  const nameAndExtra = archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const begin = local + LOCAL_HEADER_LENGTH + nameAndExtra;
  const packed = archive.subarray(begin, begin + packedLength);
  return isDeflated ? inflateRawSync(packed) : packed;
}
