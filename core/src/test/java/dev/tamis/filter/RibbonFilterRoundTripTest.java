package dev.tamis.filter;

import dev.tamis.Keys;
import dev.tamis.RoundTripConformance;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;

class RibbonFilterRoundTripTest extends RoundTripConformance<RibbonFilter<Long>> {

  @Override
  protected RibbonFilter<Long> filled(long expectedKeys, int keys) {
    RibbonFilterBuilder<Long> builder = RibbonFilter.<Long>builder(KeyHasher.longs()).fpp(0.01);
    Keys.hashes(1, keys).forEach(builder::putHash);
    return builder.build();
  }

  @Override
  protected RibbonFilter<Long> read(InputStream in, long maxBytes) throws IOException {
    return RibbonFilter.readFrom(in, KeyHasher.longs(), maxBytes);
  }
}
