package dev.tamis.crawler.queue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** Makes the root page of a map in a store its own only descendant. */
final class CyclicPages {

  private static final int BLOCK_BYTES = 4096;

  /** So many maps that the maps of maps have inner pages. */
  private static final int MAPS = 2_000;

  private CyclicPages() {}

  /**
   * Changes a store.
   *
   * @param map the name of one of its maps, or {@code layout} or {@code meta}
   */
  static void make(Path file, String map) throws IOException {
    long block;
    long root;
    byte[] bytes;
    try (MVStore store = new MVStore.Builder().fileName(file.toString()).open()) {
      for (int i = 0; i < MAPS; i++) {
        MVMap<String, Long> one =
            store.openMap(
                "map" + i,
                new MVMap.Builder<String, Long>()
                    .keyType(StoredType.TEXT)
                    .valueType(StoredType.NUMBER));
        one.put("key", 1L);
      }
      store.commit();
    }
    bytes = Files.readAllBytes(file);
    try (MVStore store = new MVStore.Builder().fileName(file.toString()).readOnly().open()) {
      Map<String, String> layout = store.getLayoutMap();
      root = root(store, layout, map, bytes);
      String chunk = layout.get("chunk." + Integer.toHexString(DataUtils.getPageChunkId(root)));
      block =
          chunk != null
              ? Long.parseLong(chunk.replaceAll(".*block:([0-9a-f]+).*", "$1"), 16)
              : lastBlock(store);
    }
    if (DataUtils.isLeafPosition(root)) {
      throw new IllegalStateException(map + " has one page only");
    }
    ByteBuffer page = ByteBuffer.wrap(bytes);
    page.position((int) block * BLOCK_BYTES + DataUtils.getPageOffset(root) + 6);
    DataUtils.readVarInt(page); // the page's number
    DataUtils.readVarInt(page); // the map's
    int keys = DataUtils.readVarInt(page);
    page.get(); // the type
    for (int child = 0; child <= keys; child++) {
      page.putLong(root);
    }
    Files.write(file, bytes);
  }

  private static long root(MVStore store, Map<String, String> layout, String map, byte[] bytes) {
    if (map.equals("layout")) {
      String header = new String(bytes, (int) lastBlock(store) * BLOCK_BYTES, 300, ISO_8859_1);
      return Long.parseUnsignedLong(header.replaceAll("(?s).*?,root:([0-9a-f]+).*", "$1"), 16);
    }
    String id = map.equals("meta") ? layout.get("meta.id") : store.getMetaMap().get("name." + map);
    return Long.parseUnsignedLong(layout.get("root." + id), 16);
  }

  private static long lastBlock(MVStore store) {
    return Long.parseLong(String.valueOf(store.getStoreHeader().get("block")), 16);
  }
}
