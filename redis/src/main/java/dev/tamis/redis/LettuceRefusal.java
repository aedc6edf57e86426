package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The error with which a server closed the connection instead of letting the client in, and the
 * limits of its replies.
 *
 * <p>Lettuce reports either the error or that the connection was closed, whichever its threads come
 * to first, and the latter always if the server has too many clients.
 */
final class LettuceRefusal implements NettyCustomizer {

  private static final int MAX_BYTES = 512;

  private final NettyCustomizer next;
  private volatile @Nullable String message;

  /** Observes connections that another customizer has seen first. */
  LettuceRefusal(NettyCustomizer next) {
    this.next = next;
  }

  void clear() {
    message = null;
  }

  /** Returns the error the server sent before it closed the connection, or null. */
  @Nullable String message() {
    return message;
  }

  @Override
  public void afterChannelInitialized(Channel channel) {
    next.afterChannelInitialized(channel);
    ChannelHandlerContext handshake = channel.pipeline().context(RedisHandshakeHandler.class);
    if (handshake != null) {
      channel.pipeline().addBefore(handshake.name(), null, new Observer());
    }
  }

  private final class Observer extends ChannelInboundHandlerAdapter {

    private final ReplyBounds bounds = new ReplyBounds();

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) throws Exception {
      if (read instanceof ByteBuf bytes && bytes.isReadable()) {
        message = bytes.getByte(bytes.readerIndex()) == '-' ? firstLine(bytes) : null;
        try {
          bounds.check(bytes.nioBuffer());
        } catch (IOException e) {
          bytes.release();
          context.fireExceptionCaught(e); // fails the command that waits
          var unused = context.close();
          return;
        }
      }
      super.channelRead(context, read);
    }

    private static String firstLine(ByteBuf bytes) {
      int start = bytes.readerIndex() + 1;
      String text = bytes.toString(start, Math.min(MAX_BYTES, bytes.readableBytes() - 1), UTF_8);
      return text.lines().findFirst().orElse("");
    }
  }
}
